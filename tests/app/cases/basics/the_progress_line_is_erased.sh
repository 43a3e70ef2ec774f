# SPDX-License-Identifier: Apache-2.0
numbers 3000000 >data
tdz --progress always --log-file log --chunk 64KiB data 2>seen
grep -q ' %  .* MB/s  .*data' seen || fail "no progress: $(cat seen)"
[ "$(tail -c 4 seen | od -An -tx1 | tr -d ' ')" = 0d1b5b4b ] || fail "the line stays"
[ "$(tr -dc '\n' <seen | wc -c)" -eq 0 ] || fail "it wraps"
! grep -q % log || fail "it is in the log"
tdz -f --progress auto data
tdz -f --progress never data
tdz -f data
