# SPDX-License-Identifier: Apache-2.0
need_no_sanitizer
# A file disappears during the run: the report has the earlier results, and says why it ends.
numbers 100000 >first
numbers 100000 >second
tdz bench --type u8 --orders 1-4 --time 3 --progress always --format json -o report first second 2>said &
wait_for grep -qs " left " said
rm second
exit_code_of $!
[ "$code" -eq 3 ] || fail "exit code $code"
grep -q 'second: No such file or directory' said || fail "$(cat said)"
python3 - <<'PY'
import json
report = json.load(open("report"))
assert report["complete"] is False
assert [data["name"] for data in report["data"]] == ["first"] and len(report["codec"]) == 4
assert any("second: No such file" in remark for remark in report["remarks"]), report["remarks"]
PY
