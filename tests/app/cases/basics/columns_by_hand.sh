# SPDX-License-Identifier: Apache-2.0
# --type with commas gives each field of a record its own steps. The fields here are a time, a level and a random byte.
# The file is at most 1 % larger than what the search finds by itself. Every byte comes back, also behind the last whole record.
need python3
python3 - <<'END' >data
import random, struct, sys
chance = random.Random(1)
time = level = 0
for _ in range(30000):
    time += 1000000 + chance.randrange(-3000, 3001)
    level = (level + chance.randrange(-300, 301)) % 65536
    sys.stdout.buffer.write(struct.pack('<QHB', time, level, chance.randrange(256)))
sys.stdout.buffer.write(b'rest')
END
tdz --type u64,i16,u8 -o by_hand.tdz data
tdz -o searched.tdz data
tdz -dc by_hand.tdz >restored
same data restored
[ $(($(stat -c %s by_hand.tdz) * 100)) -lt $(($(stat -c %s searched.tdz) * 101)) ] || fail "columns are larger"
tdz info --json by_hand.tdz | grep -o '"type":"[^"]*"'
# An odd width is a column; the order and the byte order hold for all columns.
for type in i24 u24x3 u8,i24 u56,bytesx4; do
  tdz --type "$type" --order 2 --big-endian -c data >packed
  tdz -dc packed >restored
  same data restored
done
tdz --type u64,i16,u8 --row 9 -c data || true
tdz --type u64,i12 -c data || true
tdz analyze --type u64,i16,u8 data | grep -c 'chosen.*64-bit words.*16-bit words.*8-bit words'
#> "type":"u64,i16,u8"
#> 1
#! tdz: --type u64,i16,u8 names columns; --row goes only with one type
#! tdz: --type u64,i12: unknown type 'i12': the fields of a row are types like u64, f32x5, i24 or bytes, with commas between them
