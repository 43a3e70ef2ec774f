# SPDX-License-Identifier: Apache-2.0
numbers 500000 >data
tdz --chunk 64KiB --type u8x3 data
head -c "$(($(stat -c %s data.tdz) / 2))" data.tdz >cut.tdz
show tdz -d -o out cut.tdz
#> $ tdz -d -o out cut.tdz
#> tdz: cut.tdz: * (at byte *)
#> tdz: to save what is left: tdz recover cut.tdz -o OUT
#> [2]
show tdz -t cut.tdz
#> $ tdz -t cut.tdz
#> tdz: cut.tdz: * (at byte *)
#> tdz: to save what is left: tdz recover cut.tdz -o OUT
#> [2]
# Errors only, so no advice.
show tdz -tq cut.tdz
#> $ tdz -tq cut.tdz
#> tdz: cut.tdz: * (at byte *)
#> [2]
# The first bytes: the file does not look like tdz any more, and recover restores all of it.
for at in 0 9 17; do
  cp data.tdz bad.tdz
  printf '\xA7' | dd of=bad.tdz bs=1 seek=$at conv=notrunc status=none
  exits 2 tdz -t bad.tdz
  { tdz -t bad.tdz 2>&1 || true; } | grep -c 'tdz recover'
  show tdz recover bad.tdz -f -o out
  same data out
done
#> 1
#> $ tdz recover bad.tdz -f -o out
#> tdz: bad.tdz -> out: 488 KiB recovered, nothing is missing; the file itself is damaged: *
#> 1
#> $ tdz recover bad.tdz -f -o out
#> tdz: bad.tdz -> out: 488 KiB recovered, nothing is missing; the file itself is damaged: *
#> 1
#> $ tdz recover bad.tdz -f -o out
#> tdz: bad.tdz -> out: 488 KiB recovered, nothing is missing; the file itself is damaged: *
