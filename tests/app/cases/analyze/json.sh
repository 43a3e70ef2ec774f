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
assert data["larger_for_gpu"] is None and data["gpu_gb_per_s"] is None
assert missing["error"]["kind"] == "io" and "chosen" not in missing
assert piped["name"] == "-" and piped["chosen"][0]["columns"] == data["chosen"][0]["columns"]
END
python3 -c '
import array, itertools, random, sys
random.seed(1)
sys.stdout.buffer.write(array.array("i", itertools.accumulate(random.randrange(-900, 900) for _ in range(100000))).tobytes())
' >walk
tdz analyze --gpu --json walk >out
python3 - <<'END'
import json
data = json.load(open("out"))["files"][0]
assert -0.01 < data["larger_for_gpu"] <= 0.2, data["larger_for_gpu"]
assert 200 < data["gpu_gb_per_s"] < 2000, data["gpu_gb_per_s"]
END
tdz analyze --gpu walk >out
grep -qE '^ *For a GPU: [0-9.]+ % larger than what a CPU would get\.' out || fail "$(cat out)"
tr -s ' \n' ' ' <out | grep -qE 'get\. One H100 decodes this at about [0-9]+ GB/s, by a model\.' || fail "$(cat out)"
tdz analyze --fastest --gpu walk | tr -s ' \n' ' ' | grep -q 'For a GPU: One H100 decodes this' || fail "--fastest --gpu"
head -c 100000 /dev/urandom >noise
tdz analyze --gpu noise >out
grep -q 'For a GPU' out && fail "noise has no plan for a GPU: $(cat out)"
true
