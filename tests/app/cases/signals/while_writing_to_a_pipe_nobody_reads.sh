# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2086,SC2154,SC2217
noise 4000000 >data
mkfifo stuck
sleep 5 <stuck &
"${default_signals[@]}" tdz -T2 -c data >stuck &
sleep 0.3
kill -TERM $!
before=$SECONDS
exit_code_of $!
[ $code -eq 143 ] || fail "exit code $code"
[ $((SECONDS - before)) -le 3 ] || fail "it took too long"
