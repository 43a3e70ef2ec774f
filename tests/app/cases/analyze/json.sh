# SPDX-License-Identifier: Apache-2.0
need python3
numbers 300000 >data
code=0
tdz analyze --json data missing - <data >out 2>/dev/null || code=$?
[ $code -eq 3 ] || fail "exit code $code"
python3 - <<'END'
import json
document = json.load(open("out"))
assert document["schema"] == "tdz-analysis/1"
data, missing, piped = document["files"]
assert data["name"] == "data" and data["header"] is None and data["offset"] == 0 and data["level"] == 3
assert data["chosen"][0]["command"].startswith("tdz --word") and data["chosen"][0]["command"].endswith(" data")
assert data["chosen"][0]["columns"][0]["steps"] and data["sampled_bytes"] > 0
ratios = [candidate["ratio"] for candidate in data["candidates"]]
assert len(ratios) > 5 and max(ratios) > 1
assert {cell["order"] for cell in data["grid"]} >= {0, 1, 2, 3, 4}
assert {cell["tuple"] for cell in data["grid"]} >= {1, 2, 8}
assert missing["error"]["kind"] == "io" and "chosen" not in missing
assert piped["name"] == "-" and piped["chosen"][0]["columns"] == data["chosen"][0]["columns"]
END
