# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2086,SC2154
need_strace
mkfifo slow
numbers 1000 >data
call=$(tmpfile_call tdz -T1 data -o out)
rm out
{ numbers 3000000; sleep 5; } >slow &
"${default_signals[@]}" strace -f -qqq -o /dev/null -e "inject=openat:error=EOPNOTSUPP:when=$call" tdz -T1 -o out slow &
hidden() { compgen -G '.out-??????.tdz.tmp' >/dev/null; }
wait_for hidden
kill -TERM "$(cat /proc/$!/task/$!/children)"
exit_code_of $!
[ $code -eq 143 ] || fail "exit code $code"
only data slow
