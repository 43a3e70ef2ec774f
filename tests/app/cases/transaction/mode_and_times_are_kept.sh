# SPDX-License-Identifier: Apache-2.0
numbers 1000 >data
chmod 640 data
touch -d '2001-02-03 04:05:06.789' data
tdz data
[ "$(stat -c '%a %y' data.tdz)" = "$(stat -c '%a %y' data)" ] || fail "compressed: $(stat -c '%a %y' data.tdz)"
chmod 400 data.tdz
tdz -do copy data.tdz
[ "$(stat -c '%a %Y' copy)" = "400 $(stat -c %Y data)" ] || fail "restored: $(stat -c '%a %Y' copy)"
# Bits that give a program rights, or protect a folder, are for neither.
for bits in 4755 2755 1755 6711 7644; do
  chmod $bits data
  [ "$(stat -c %a data)" = $bits ] || continue
  tdz -f data
  [ "$(stat -c %a data.tdz)" = ${bits#?} ] || fail "compressed: $bits became $(stat -c %a data.tdz)"
  chmod $bits data.tdz
  tdz -dfo copy data.tdz
  [ "$(stat -c %a copy)" = ${bits#?} ] || fail "restored: $bits became $(stat -c %a copy)"
done
# Nor does a new folder get them, unless its own folder gives them.
mkdir tree
cp data tree
chmod 7755 tree
tdz -q -r tree --output-dir packed
[ "$(stat -c %a packed/tree)" = 755 ] || fail "a folder: $(stat -c %a packed/tree)"
umask 027
tdz -o new <data
numbers 1000 | tdz -o new2
[ "$(stat -c %a new2)" = 640 ] || fail "a new file: $(stat -c %a new2)"
