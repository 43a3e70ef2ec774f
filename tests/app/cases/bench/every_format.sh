# SPDX-License-Identifier: Apache-2.0
# One run in each format.
numbers 100000 >data
run() { tdz bench --type u16x2 --orders 1-2 --size 64KiB --time 0.1 "$@" data; }
run >table
grep -q 'u16x2' table || fail "no line of the table names the type"
grep -q $'\x1b' table && fail "colours where there is no terminal"
run --format json -o report.json
python3 - <<'PY'
import json
report = json.load(open("report.json"))
assert report["schema"] == "tdz-bench/1", report["schema"]
assert report["complete"] is True
assert [cell["order"] for cell in report["codec"]] == [1, 2], report["codec"]
assert all(cell["bytes"] == 65536 and cell["ratio"] > 1 for cell in report["codec"])
assert {scan["direction"] for scan in report["scans"]} == {"integrate", "difference"}
assert report["command_line"][-1] == "data"
assert 0 < report["cpu_share"] < 1.1, report["cpu_share"]
assert set(report["load"]) == {"before", "after"}, report["load"]
runs = [cell[way]["runs"] for cell in report["codec"] for way in ("compress", "decompress")]
assert 1 not in runs or any("single run" in remark for remark in report["remarks"]), report["remarks"]
PY
run --format csv -o report.csv
python3 -c 'import csv; rows = list(csv.reader(open("report.csv"))); assert len({len(row) for row in rows}) == 1 and len(rows) > 7, rows'
run --format markdown -o report.md
grep -q '^|' report.md || fail "no table in the markdown"
run --format html -o report.html
head -c 15 report.html | grep -qi '<!doctype html>' || fail "no HTML"
only data table report.json report.csv report.md report.html
