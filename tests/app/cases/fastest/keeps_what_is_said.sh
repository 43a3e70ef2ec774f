# SPDX-License-Identifier: Apache-2.0
# Types, rows, byte order, headers and memory limits go with --fastest.
samples=$(dirname "$0")/../../samples
steps() { tdz info --chunks "$1" | tail -n 1 | sed 's/.*words: //'; }
said() {
  tdz --fastest "$@" >packed.tdz
  tdz -dc packed.tdz | cmp - "${!#}" || fail "$*"
  steps packed.tdz
}
said --type i16 --row 4320 -c "$samples/relief_i16x1.bin" | grep -c 'difference(4320, 1)'
said --type f32x2 --order 2 -c "$samples/winds_f32x2.bin" | grep -c 'difference(2, 2)'
python3 -c 'import sys; d = sys.stdin.buffer.read(); b = bytearray(d); b[0::2], b[1::2] = d[1::2], d[0::2]; sys.stdout.buffer.write(b)' \
  <"$samples/relief_i16x1.bin" >big
said --type i16 --big-endian -c big | grep -c '^byteswap, '
said -c big | grep -c '^byteswap, '
said --word 2 --tuple 3 --order 0 --zigzag off -c "$samples/audio_i16x1.bin" | grep -c '^packed('
{ noise 100; cat "$samples/audio_i16x1.bin"; } >headed
said --offset 100 --type i16 -c headed | grep -c packed
said --memory 16MiB -c "$samples/audio_i16x1.bin" | grep -c packed
# Fields of a row are columns with steps of their own.
python3 - <<'END' >records
import random, struct, sys
chance = random.Random(1)
time = 0
for row in range(30000):
    time += 1000 + chance.randrange(9)
    sys.stdout.buffer.write(struct.pack('<QhhB', time, row % 700, -(row % 300), chance.randrange(256)))
END
tdz --fastest --type u64,i16x2,u8 records
tdz info -v records.tdz | grep -c 'u64.*packed(1)\|64-bit.*packed'
tdz -dc records.tdz | cmp - records
tdz verify records.tdz
#> 1
#> 1
#> 1
#> 1
#> 1
#> 1
#> 1
#> 1
