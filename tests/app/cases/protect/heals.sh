# SPDX-License-Identifier: Apache-2.0
# A hole, a cut and bytes put in: the archive comes back bit for bit, and so does its original.
noise 3000000 >data
tdz --protect 5 --chunk 256KiB data
{ head -c 700000 data.tdz && noise 60000 && tail -c +760001 data.tdz; } >hole.tdz
show tdz verify hole.tdz
#> $ tdz verify hole.tdz
#> tdz: hole.tdz: parity can bring back all of 6*KiB that are damaged or lost
#> tdz: hole.tdz: chunk * (at byte *)
#> tdz: to save what is left: tdz recover hole.tdz -o OUT
#> [2]
show tdz recover hole.tdz -o out
#> $ tdz recover hole.tdz -o out
#> tdz: hole.tdz: parity brought back all of 6*KiB that are damaged or lost
#> tdz: hole.tdz -> out: 2.86 MiB recovered, nothing is missing
same data out
show tdz recover --archive hole.tdz -o healed.tdz
#> $ tdz recover --archive hole.tdz -o healed.tdz
#> tdz: hole.tdz: parity brought back all of 6*KiB that are damaged or lost
same data.tdz healed.tdz
# Bytes cut out, others put in, and the first and last bytes lost.
{ noise 300 && head -c 900000 data.tdz | tail -c +301 && noise 1234 && tail -c +900001 data.tdz; } >moved.tdz
{ head -c 2000000 moved.tdz && tail -c +2005001 moved.tdz | head -c -50; } >cut.tdz
tdz recover -q --archive cut.tdz -o again.tdz
same data.tdz again.tdz
# The map says what parity did.
tdz recover -q --map map cut.tdz -o second
same data second
grep -q '"restored_bytes": [1-9]' map
# More than parity can bring back: the rest is saved as without it.
{ head -c 700000 data.tdz && noise 400000 && tail -c +1100001 data.tdz; } >worse.tdz
show tdz recover worse.tdz -o rest
#> $ tdz recover worse.tdz -o rest
#> tdz: worse.tdz: parity brought back 0 B of * that are damaged or lost; the rest is more than it protects
#> tdz: worse.tdz: bytes * to * are missing (*)
#> tdz: worse.tdz: incomplete: * recovered, 1 range is missing
#> [2]
exits 2 tdz recover -q --archive worse.tdz -o healed.tdz -f
