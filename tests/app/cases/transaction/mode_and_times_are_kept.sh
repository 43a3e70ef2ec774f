# SPDX-License-Identifier: Apache-2.0
numbers 1000 >data
chmod 640 data
touch -d '2001-02-03 04:05:06.789' data
tdz data
[ "$(stat -c '%a %y' data.tdz)" = "$(stat -c '%a %y' data)" ] || fail "compressed: $(stat -c '%a %y' data.tdz)"
chmod 400 data.tdz
tdz -do copy data.tdz
[ "$(stat -c '%a %Y' copy)" = "400 $(stat -c %Y data)" ] || fail "restored: $(stat -c '%a %Y' copy)"
chmod 4755 data
tdz -fo copy data
[ "$(stat -c %a copy)" = 755 ] || fail "setuid was kept"
umask 027
tdz -o new <data
numbers 1000 | tdz -o new2
[ "$(stat -c %a new2)" = 640 ] || fail "a new file: $(stat -c %a new2)"
