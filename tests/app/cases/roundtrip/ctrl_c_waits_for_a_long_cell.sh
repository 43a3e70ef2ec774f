# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2086,SC2154
need_no_sanitizer
# A cell can take longer than the grace period of other verbs; the report is still written.
numbers 8000000 >data
"${default_signals[@]}" tdz roundtrip -T1 --chunk 8MiB --words 4 --tuples 1-8 --orders 1 --levels 19 -o report data 2>/dev/null &
tdz=$!
codes() { [ "$(awk '/^rchar/ {print $2}' /proc/$tdz/io)" -gt 8000000 ]; }
wait_for codes
kill -INT $tdz
exit_code_of $tdz
[ $code -eq 130 ] || fail "exit code $code"
grep -q '^data: 8000000 bytes in 1 chunk, incomplete$' report
tail -n 1 report | grep -o 'interrupted'
#> interrupted
