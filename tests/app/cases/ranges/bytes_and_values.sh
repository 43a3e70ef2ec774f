# SPDX-License-Identifier: Apache-2.0
numbers 400000 >data
tdz --chunk 64KiB --type i16x2 data
part() { head -c "$(($1 + $2))" data | tail -c "$2"; }
tdz -dc --range 0:10 data.tdz | cmp - <(part 0 10)
tdz -dc --range 100K:70K data.tdz | cmp - <(part 102400 71680)
tdz decompress --range 1000v:20v -o out data.tdz
part 4000 80 | cmp - out
tdz -dc --range 399990: data.tdz | cmp - <(part 399990 10)
tdz -dc --range 70000:300 <data.tdz | cmp - <(part 70000 300)
tdz -d --range 70000:300 < <(cat data.tdz) | cmp - <(part 70000 300)
tdz -dc --range 400000:0 data.tdz | cmp - /dev/null
only data data.tdz out
