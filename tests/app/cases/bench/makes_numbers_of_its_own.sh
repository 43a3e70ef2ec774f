# SPDX-License-Identifier: Apache-2.0
# Without files: three kinds of generated numbers for every word.
tdz bench --words 1,8 --tuples 3 --orders 1 --size 64KiB --time 0.1 --format json >report.json
python3 - <<'PY'
import json
report = json.load(open("report.json"))
assert [data["name"] for data in report["data"]] == [
    f"{kind} u{bits}x3" for bits in (8, 64) for kind in ("smooth", "noisy", "stepped")], report["data"]
assert all(data["generated"] for data in report["data"])
smooth = next(cell for cell in report["codec"] if cell["data"] == 3)
noisy = next(cell for cell in report["codec"] if cell["data"] == 4)
assert smooth["ratio"] > 1.1 * noisy["ratio"], (smooth["ratio"], noisy["ratio"])
PY
