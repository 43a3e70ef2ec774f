# SPDX-License-Identifier: Apache-2.0
numbers 400000 >data
size() { tdz --type u8 "$@" -c data | wc -c; }
[ "$(size -9)" -lt "$(size -1)" ] || fail "-9 is not smaller than -1"
[ "$(size -3)" -eq "$(size)" ] || fail "3 is not the default"
[ "$(size -1 -19)" -eq "$(size --level 19)" ] || fail "the last one counts"
[ "$(size -kq22)" -eq "$(size --level=22)" ] || fail "levels in a cluster"
