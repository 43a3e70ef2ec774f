# SPDX-License-Identifier: Apache-2.0
# On the CPU: a driver writes too, before the report.
need_no_sanitizer
need_strace
numbers 60000 >data
echo old >report
for call in write fsync; do
  for target in report other; do
    exits 3 injecting "$call:error=ENOSPC:when=1" -- tdz roundtrip -q --backends cpu --words 2 --orders 1 -f -o $target data
  done
done
only data report
[ "$(cat report)" = old ] || fail "the old report is gone"
