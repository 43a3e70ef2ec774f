# SPDX-License-Identifier: Apache-2.0
# The files of a job share what was found for the first of a kind, unless --independent says otherwise.
need python3
python3 - <<'PYTHON'
import math, random, struct
for name in range(5):
    swing = [int(3000 * math.sin(0.01 * i + name)) + random.Random(i * 7 + name).randrange(90) for i in range(60000)]
    open(f"{name}.i16", "wb").write(struct.pack("<60000h", *swing))
PYTHON
tdz -v *.i16 2>../log
grep -q "4 of them with the steps of an earlier file" ../log || fail "$(cat ../log)"
tdz -q -t *.tdz
mkdir again && tdz -q -dk --output-dir again *.tdz
for file in *.i16; do same "$file" "again/$file"; done
mkdir alone together
tdz -v --independent --output-dir together *.i16 2>../log
! grep -q "earlier file" ../log || fail "$(cat ../log)"
for file in *.i16; do
  tdz -q -o "alone/$file.tdz" "$file"
  same "alone/$file.tdz" "together/$file.tdz"
done
