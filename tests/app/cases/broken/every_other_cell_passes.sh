# SPDX-License-Identifier: Apache-2.0
# The whole grid over a file of several chunks: only the wrong cell fails, in the first chunk.
need python3
numbers 150000 >data
for mode in forward inverse; do
  exits 2 env TDZ_BROKEN=cpu-$mode tdz roundtrip --backends cpu --chunk 64KiB --json -o $mode.json data
  exits 2 env TDZ_BROKEN=cpu-$mode tdz roundtrip --backends cpu --chunk 64KiB --junit -o $mode.xml data
done
python3 - <<'END'
import json
import xml.etree.ElementTree as xml
data = open("data", "rb").read()
name = "word 4, tuple 3, order 5, planes, level 1"
for mode in "forward", "inverse":
    report = json.load(open(mode + ".json"))
    file, = report["files"]
    assert report["counts"] == file["counts"] == {"cells": 1255, "passed": 1254, "failed": 1, "incomplete": 0}
    bad, = [cell for cell in file["cells"] if cell["verdict"] != "passed"]
    assert (bad["word"], bad["tuple"], bad["order"], bad["layout"]) == (4, 3, 5, "planes")
    failure, = bad["failures"]
    assert failure["fault"] == "wrong-value" and failure["coder"] == failure["restorer"] == "cpu"
    assert failure["chunk"] == 0 and failure["chunk_offset"] == 0
    wrong = failure["mismatch"]
    assert (wrong["value"], wrong["lane"], wrong["offset"], wrong["width"]) == (1000, 1000 % 3, 4000, 4)
    assert wrong["expected"] == int.from_bytes(data[4000:4004], "little") == int(wrong["expected_hex"], 16)
    assert wrong["found"] == int(wrong["found_hex"], 16) != wrong["expected"]
    if mode == "inverse":
        assert wrong["found"] == wrong["expected"] ^ 1
    assert [near["value"] for near in wrong["around"]] == list(range(996, 1005))
    for near in wrong["around"]:
        at = 4 * near["value"]
        assert near["expected"] == int.from_bytes(data[at:at + 4], "little")
    suites = xml.parse(mode + ".xml").getroot()
    assert (suites.get("tests"), suites.get("failures")) == ("1255", "1")
    case, = [case for case in suites.iter("testcase") if len(case)]
    assert case.get("name") == name and "value 1000" in case.find("failure").get("message")
    assert str(wrong["expected"]) in case.find("failure").text and str(wrong["found"]) in case.find("failure").text
END
