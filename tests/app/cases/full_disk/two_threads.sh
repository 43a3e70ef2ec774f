# SPDX-License-Identifier: Apache-2.0
need_strace
noise 4000000 >data
tdz --chunk 64KiB data -o packed
for call in 1 5 20; do
  code=0
  injecting "pwrite64:error=ENOSPC:when=$call" -- tdz -T3 -d packed -o out 2>/dev/null || code=$?
  [ $code -eq 3 ] || fail "write $call: exit code $code"
  only data packed
done
