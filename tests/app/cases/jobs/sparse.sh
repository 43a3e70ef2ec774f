# SPDX-License-Identifier: Apache-2.0
# holes ORIGINAL BLOCKS: the file restored with holes is the same, and takes at most this many blocks of 4 KiB.
holes() {
  tdz -q -f "$1" -o packed.tdz
  for threads in 1 3; do
    tdz -q -d -f -T$threads --sparse packed.tdz -o restored
    same "$1" restored
    [ "$(stat -c %s restored)" -eq "$(stat -c %s "$1")" ] || fail "length"
    [ "$(($(stat -c %b restored) / 8))" -le "$2" ] || fail "$1: $(stat -c %b restored) sectors"
  done
}
: >empty
holes empty 0
truncate -s 5000001 zeros
holes zeros 0
{ numbers 5000; head -c 10000000 /dev/zero; numbers 3000; head -c 100000 /dev/zero; noise 1; head -c 99999 /dev/zero; } >mixed
holes mixed 5
truncate -s 3145729 full
numbers 2000000 | dd of=full conv=notrunc bs=1000 seek=1 status=none
holes full 500
# Without the option there are no holes.
tdz -q -d -f packed.tdz -o restored
[ "$(stat -c %b restored)" -ge 6144 ] || fail "holes without --sparse: $(stat -c %b restored)"
# With a range, and from a pipe.
tdz -q -f mixed -o packed.tdz
tdz -d -f --sparse --range 4000:9000000 packed.tdz -o part
cmp part <(tail -c +4001 mixed | head -c 9000000)
tdz -d -f --sparse -o restored <packed.tdz
same mixed restored
show tdz -d --sparse packed.tdz -o /dev/null
#> $ tdz -d --sparse packed.tdz -o /dev/null
#> tdz: packed.tdz: --sparse makes holes in a file, but /dev/null is not a regular file
#> [1]
show tdz -dc --sparse packed.tdz
#> $ tdz -dc --sparse packed.tdz
#> tdz: --sparse makes holes in a file, but standard output may not be a file; use -o FILE
#> [1]
show tdz -d --sparse <packed.tdz
#> $ tdz -d --sparse
#> tdz: --sparse makes holes in a file, but standard output may not be a file; use -o FILE
#> [1]
show tdz -q --sparse zeros
#> $ tdz -q --sparse zeros
#> tdz: --sparse is not an option of compress; see tdz compress --help
#> [1]
