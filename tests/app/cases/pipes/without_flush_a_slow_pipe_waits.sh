# SPDX-License-Identifier: Apache-2.0
mkfifo slow
tdz --type u16 slow -c >out &
exec 3>slow
numbers 1000 >&3
sleep 0.3
[ "$(stat -c %s out)" -lt 300 ] || fail "a chunk was written"
exec 3>&-
wait
tdz -d <out | cmp - <(numbers 1000)
