# SPDX-License-Identifier: Apache-2.0
# On one core of several, the default is as many threads as -T 1 starts.
need_strace
need_no_sanitizer
need taskset
need_linux_calls
core=$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')
noise 3000000 >data
threads() { strace -f -qq -e trace=clone,clone3 -o ../calls "$@" && grep -c 'clone3\?(' ../calls || true; }
tdz -q data
one=$(threads taskset -c "$core" tdz -T 1 -qf data)
[ "$(threads tdz -T 2 -qf data)" -gt "$one" ] || fail "-T 2 starts no thread"
[ "$(threads taskset -c "$core" tdz -qf data)" -eq "$one" ] || fail "compress"
one=$(threads taskset -c "$core" tdz -T 1 -t data.tdz)
[ "$(threads taskset -c "$core" tdz -t data.tdz)" -eq "$one" ] || fail "verify"
