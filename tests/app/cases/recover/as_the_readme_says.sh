# SPDX-License-Identifier: Apache-2.0
# The command of README.md, with nothing told: stereo sound of a few chunks, compressed as README does, with a hole.
need python3
python3 - <<'PYTHON'
import array, math, random
chance, samples = random.Random(3), array.array("h")
for i in range(750000):
    for place in (0, 300):
        samples.append(int(9000 * math.sin((i + place) / 30) + chance.gauss(0, 40)))
open("song.pcm", "wb").write(samples.tobytes())
PYTHON
tdz song.pcm
cp song.pcm.tdz hurt.tdz
noise 100 | dd of=hurt.tdz bs=1 seek="$(($(stat -c %s hurt.tdz) / 2))" conv=notrunc status=none
exits 2 tdz -t hurt.tdz
show tdz recover hurt.tdz -o rescued.pcm | tee ../said
#> $ tdz recover hurt.tdz -o rescued.pcm
#> tdz: hurt.tdz: bytes * to * are missing (*)
#> tdz: hurt.tdz: incomplete: * recovered, 1 range is missing
#> [2]
python3 - <<'PYTHON'
import re
begin, last = map(int, re.search(r"bytes (\d+) to (\d+) are missing", open("../said").read()).groups())
song, rescued = (open(name, "rb").read() for name in ("song.pcm", "rescued.pcm"))
missing = last + 1 - begin
assert 0 < begin and last + 1 < len(song) and missing <= len(song) / 2, (begin, last)
assert rescued == song[:begin] + bytes(missing) + song[last + 1:]
PYTHON
only song.pcm song.pcm.tdz hurt.tdz rescued.pcm
