# SPDX-License-Identifier: Apache-2.0
mkfifo slow
tdz --flush 0.1 --type u16 slow -c >out &
exec 3>slow
numbers 1000 >&3
has() { [ "$(stat -c %s out)" -gt "$1" ]; }
wait_for has 300
size=$(stat -c %s out)
numbers 777 >&3
wait_for has "$size"
exec 3>&-
wait
tdz -d <out | cmp - <(numbers 1000; numbers 777)
[ "$(tdz info --chunks out | tail -n +4 | wc -l)" -ge 1 ] || fail "one chunk only"
