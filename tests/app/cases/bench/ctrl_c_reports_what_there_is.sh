# SPDX-License-Identifier: Apache-2.0
# Ctrl-C in a run of an hour: the report is a valid file and says that it is incomplete; the program dies of the signal.
numbers 300000 >data
"${default_signals[@]}" tdz bench --words 1,2,4,8 --tuples 1-8 --time 3600 --size 64KiB --type u8 \
  --progress always --format json -o report data 2>progress &
wait_for grep -qs " left " progress
kill -INT $!
exit_code_of $!
[ "$code" -eq 130 ] || fail "exit code $code"
python3 - <<'PY'
import json
report = json.load(open("report"))
assert report["complete"] is False
assert report["scans"] and not report["codec"], "it was to be interrupted among the scans"
PY
only data progress report
