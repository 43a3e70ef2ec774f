# SPDX-License-Identifier: Apache-2.0
numbers 500000 >data
tdz --chunk 64KiB --type u8x3 data
show tdz recover data.tdz -o out -v
#> $ tdz recover data.tdz -o out -v
#> tdz: data.tdz -> out: 488 KiB recovered, nothing is missing
same data out
# Without index and end: the chunk records are enough.
head -c "$(($(stat -c %s data.tdz) - 300))" data.tdz >cut.tdz
exits 2 tdz -t cut.tdz
show tdz recover cut.tdz -o again
#> $ tdz recover cut.tdz -o again
#> tdz: cut.tdz -> again: 488 KiB recovered, nothing is missing; the file itself is damaged: *
same data again
# Also without the header.
{ noise 100; tail -c +101 cut.tdz; } >headless.tdz
exits 2 tdz recover headless.tdz -o most
tail -c 400000 data | cmp - <(tail -c 400000 most)
