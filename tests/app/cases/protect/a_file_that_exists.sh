# SPDX-License-Identifier: Apache-2.0
# tdz protect adds parity to a file, changes it and takes it away. What was compressed stays as it is.
noise 600000 >data
tdz data
cp data.tdz plain.tdz
chmod 640 data.tdz
show tdz protect -v data.tdz
#> $ tdz protect -v data.tdz
#> tdz: data.tdz: * KiB -> * KiB, 5 % of parity
[ "$(stat -c %a data.tdz)" = 640 ]
tdz verify data.tdz
tdz info -v data.tdz | grep -Eq '^    parity: [0-9]+ of [0-9]+ pieces of .* may be lost, or a hole of '
tdz info --json data.tdz | grep -q '"protection":{"area_bytes":'
# The same as if compress had made it.
tdz --protect 5 -c data | cmp - data.tdz
tdz protect --protect 20 -o more.tdz data.tdz
tdz --protect 20 -c data | cmp - more.tdz
tdz protect --protect 0 more.tdz
same more.tdz plain.tdz
# A link stays, and what it leads to is protected.
ln -s plain.tdz link.tdz
tdz protect link.tdz
[ -L link.tdz ]
same plain.tdz data.tdz
# No damage is protected, and the file stays.
cp data.tdz hurt.tdz
noise 100 | dd of=hurt.tdz bs=1 seek=3000 conv=notrunc status=none
cp hurt.tdz before
show tdz protect hurt.tdz
#> $ tdz protect hurt.tdz
#> tdz: hurt.tdz: chunk 0: * (at byte *)
#> tdz: to save what is left: tdz recover hurt.tdz -o OUT
#> [2]
same hurt.tdz before
show tdz protect <data.tdz
#> $ tdz protect
#> tdz: protect reads its FILE more than once, and writes it anew; name a file
#> [1]
show tdz --protect 101 data
#> $ tdz --protect 101 data
#> tdz: --protect 101: expected a number from 0 to 100
#> [1]
only before data data.tdz hurt.tdz link.tdz more.tdz plain.tdz
