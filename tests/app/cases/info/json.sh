# SPDX-License-Identifier: Apache-2.0
need python3
numbers 200000 >data
tdz --type u16x3 --order 1 --zigzag on --layout tuple-planes --chunk 64KiB data
cat data.tdz data.tdz >both.tdz
echo none >bad.tdz
name=$(printf 'n\xe9\n"x".tdz')
cp data.tdz "$name"
code=0
tdz info --json --chunks data.tdz bad.tdz both.tdz "$name" >out 2>/dev/null || code=$?
[ $code -eq 2 ] || fail "exit code $code"
python3 - <<'END'
import json
document = json.load(open("out"))
assert document["schema"] == "tdz-info/1"
data, bad, both, odd = document["files"]
assert data["name"] == "data.tdz" and data["original_bytes"] == 200000
stream, = data["streams"]
assert stream["chunks"] == len(stream["chunk_list"]) == 4 and stream["type"] == "u16x3"
assert stream["plans"] == [{"columns": [{"bytes": 2, "count": 1, "steps": ["difference(3, 1)", "zigzag", "tuple-planes(3)"]}]}]
assert sum(chunk["original_bytes"] for chunk in stream["chunk_list"]) == 200000
assert bad["error"]["kind"] == "corrupt" and bad["error"]["at"] == 0 and bad["streams"] == []
assert [s["offset"] for s in both["streams"]] == [0, data["file_bytes"]]
assert both["original_bytes"] == 400000 and "error" not in both
assert odd["name"] == "n\ufffd\n\"x\".tdz"
END
tdz info --json data.tdz | python3 -m json.tool >/dev/null
tdz -l --json - <data.tdz | grep -o '"name":"-"'
#> "name":"-"
