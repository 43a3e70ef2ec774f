# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2086,SC2154
# Without unnamed files a killed run leaves a hidden one. The next run with this target removes it, and no other.
need_strace
numbers 300000 >data
mkfifo slow
call=$(tmpfile_call tdz -T1 data -o out)
rm out
hidden() { compgen -G '.out-??????.tdz.tmp' >/dev/null; }
# writing: starts a run that has begun to write `out` under a hidden name. finish_writing: gives it the rest.
writing() {
  exec 5<>slow
  strace -f -qqq -o /dev/null -e "inject=openat:error=EOPNOTSUPP:when=$call" tdz -T1 -o out slow 5>&- &
  numbers 60000 >&5
  wait_for hidden
  writer=$!
}
kill_writing() {
  kill_hard "$(cat "/proc/$writer/task/$writer/children")"
  exit_code_of "$writer"
  exec 5>&-
}
for again in "tdz -q -T1 -o out data" "injecting openat:error=EOPNOTSUPP:when=$call -- tdz -T1 -o out data"; do
  writing
  kill_writing
  hidden || fail "nothing is left to remove"
  tdz -q -o other data  # another target
  hidden || fail "it was removed for another target"
  rm other
  $again
  tdz -dc out | cmp - data
  only data out slow
  rm out
done

# A run that lives keeps its file.
writing
injecting "openat:error=EOPNOTSUPP:when=$call" -- tdz -T1 -f -o out data
hidden || fail "the file of a living run was removed"
rm out
exec 5>&-
exit_code_of "$writer"
[ $code -eq 0 ] || fail "the first run: exit code $code"
tdz -dc out | cmp - <(numbers 60000)
only data out slow

# A complete file that was replacing its target.
code=0
injecting renameat:signal=KILL -- tdz -T1 -f -o out data 2>/dev/null || code=$?
[ $code -eq 137 ] || fail "exit code $code"
hidden || fail "nothing is left to remove"
left=$(echo .out-*)
tdz -f -o out data
only data out slow

# What is not a file of this user with one name stays.
another() {
  "$@" || return 0
  tdz -f -o out data
  [ -e "$left" ] || [ -L "$left" ] || fail "removed: $*"
  injecting "openat:error=EOPNOTSUPP:when=$call" -- tdz -T1 -f -o out data
  tdz -dc out | cmp - data
  [ -e "$left" ] || [ -L "$left" ] || fail "removed: $*"
  rm -rf "$left"
}
another mkdir "$left"
another ln -s data "$left"
another mkfifo "$left"
another ln data "$left"
if [ "$(id -u)" -eq 0 ]; then
  given_away() { cp data "$left"; chown 1234 "$left"; }
  another given_away
fi
locked() { cp data "$left"; exec 6<"$left"; flock 6; }
need flock
another locked
exec 6<&-
only data out slow
# Nor does the name alone say that tdz made it: other letters belong to other names.
cp data .out-AAAAAA.tdz.tmp
tdz -f -o out data
only data out slow .out-AAAAAA.tdz.tmp
