# SPDX-License-Identifier: Apache-2.0
numbers 1000 >data
tdz -q data -o packed
echo precious >precious
chmod 600 precious
touch -d 2001-01-01 precious
for target in data.tdz copy map log; do ln -s precious $target; done
exits 1 tdz data
exits 1 tdz -d packed -o copy
exits 1 tdz --skip-existing data -f
tdz -q --skip-existing data
tdz -q -f data
tdz -q -f -d packed -o copy
exits 1 tdz recover packed -o new --map map
tdz recover -q -f packed -o new --map map
[ "$(stat -c '%a %Y %s' precious)" = "600 978307200 9" ] || fail "$(stat -c '%a %Y %s' precious)"
for target in data.tdz copy map; do [ ! -L $target ] || fail "$target is still a link"; done
