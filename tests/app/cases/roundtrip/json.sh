# SPDX-License-Identifier: Apache-2.0
# The promises of docs/roundtrip-json.md, for a good file, a missing file and a file with a hostile name.
need python3
numbers 150000 >data
name=$(printf 'n\xe9\n"x"\001')
cp data "$name"
code=0
tdz roundtrip --json --chunk 64KiB --words 4 --tuples 1-2 --orders 2 --levels 1,3 data missing "$name" >out 2>said || code=$?
[ $code -eq 3 ] || fail "exit code $code"
python3 - <<'END'
import json
report = json.load(open("out"))
assert set(report) == {"schema", "tdz", "zstd", "complete", "backends", "threads", "chunk_bytes", "counts", "files"}
assert report["schema"] == "tdz-roundtrip/1" and report["complete"] and report["chunk_bytes"] == 65536
assert report["backends"][0]["name"] == "cpu" and report["backends"][0]["description"]
data, missing, odd = report["files"]
assert set(data) == {"name", "bytes", "chunks", "seconds", "complete", "counts", "cells"}
assert data["name"] == "data" and data["bytes"] == 150000 and data["chunks"] == 3 and data["complete"]
assert data["counts"] == {"cells": 18, "passed": 18, "failed": 0, "incomplete": 0} and len(data["cells"]) == 18
assert missing["error"]["kind"] == "io" and missing["cells"] == [] and not missing["complete"]
assert odd["name"] == "n\ufffd\n\"x\"\x01" and odd["counts"]["passed"] == 18
assert report["counts"]["cells"] == 36
for cell in data["cells"]:
    assert set(cell) == {"word", "tuple", "order", "zigzag", "layout", "level", "verdict", "bytes", "packed_bytes"}
    assert cell["word"] == 4 and cell["order"] == 2 and cell["zigzag"] and cell["verdict"] == "passed"
    assert cell["bytes"] == 150000 and 0 < cell["packed_bytes"] < 150000
assert {cell["level"] for cell in data["cells"]} == {1, 3}
assert [cell["layout"] for cell in data["cells"][:5]] == ["interleaved", "planes", "bit-planes", "packed", "interleaved"]
END
cat said
#> tdz: missing: No such file or directory
