# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2086,SC2154
need_no_sanitizer
need python3
mkfifo slow
numbers 1000 >first
{ numbers 200000; sleep 5; } >slow &
"${default_signals[@]}" tdz roundtrip --chunk 64KiB --words 2 --orders 0-1 --json -o report first slow never 2>said &
tdz=$!
# It has checked three chunks and waits for the fourth.
waits() { [ "$(awk '/^rchar/ {print $2}' /proc/$tdz/io)" -gt 200000 ]; }
wait_for waits
kill -INT $tdz
exit_code_of $tdz
[ $code -eq 130 ] || fail "exit code $code"
cat said
python3 - <<'END'
import json
report = json.load(open("report"))
assert not report["complete"]
first, slow = report["files"]
assert first["complete"] and first["counts"]["passed"] == first["counts"]["cells"] > 0
assert not slow["complete"] and "error" not in slow
assert slow["counts"]["incomplete"] == slow["counts"]["cells"] == first["counts"]["cells"]
assert slow["chunks"] == 3 and slow["bytes"] == 3 * 65520
END
#> tdz: 114 cells, 57 passed, 0 failed, 57 incomplete
