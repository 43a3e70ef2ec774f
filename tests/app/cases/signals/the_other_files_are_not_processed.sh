# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2086,SC2154
numbers 1000 >first
mkfifo slow
numbers 1000 >last
{ numbers 3000000; sleep 5; } >slow &
"${default_signals[@]}" tdz -c first slow last >../stream &
sleep 0.3
kill -INT $!
exit_code_of $!
[ $code -eq 130 ] || fail "exit code $code"
only first slow last
