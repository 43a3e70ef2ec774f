# SPDX-License-Identifier: Apache-2.0
# Mode, owner and times of anything except a regular file are not changed, and not copied.
need_strace
numbers 100000 >data
tdz data -o packed
mkfifo out in
silent() {
  strace -f -qqq -o ../calls -e trace=chmod,fchmod,fchmodat,chown,fchown,lchown,fchownat,utimensat,fsetxattr "$@"
  [ ! -s ../calls ] || fail "$*: $(cat ../calls)"
}
before=$(stat -c '%a %u %g' out /dev/null)
silent tdz -q data -o /dev/null
silent tdz -q -d packed -o /dev/null
cat out >/dev/null &
silent tdz -q data -o out
wait $!
silent tdz -q -c data >standard
silent tdz -t packed
silent tdz -l packed >standard
[ "$(stat -c '%a %u %g' out /dev/null)" = "$before" ] || fail "$(stat -c '%n %a' out /dev/null)"
# The result does not get the mode of a pipe.
chmod 600 in
umask 022
cat data >in &
tdz -q in -o from_pipe
wait $!
[ "$(stat -c %a from_pipe)" = 644 ] || fail "$(stat -c %a from_pipe)"
