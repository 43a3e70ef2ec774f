# SPDX-License-Identifier: Apache-2.0
# Fifty holes of 4 KiB at random places of an archive: every chunk without a hole is recovered, and the list is right.
need python3
cat >../holes.py <<'PYTHON'
import json, random, subprocess, sys

chance = random.Random(7)
size = int(sys.argv[1])
data = chance.randbytes(size)
open("data", "wb").write(data)
subprocess.run(["tdz", "-q", "--type", "u8", "--chunk", sys.argv[2], "data"], check=True)
info = json.loads(subprocess.run(["tdz", "info", "--json", "--chunks", "data.tdz"], stdout=subprocess.PIPE, check=True).stdout)
chunks = info["files"][0]["streams"][0]["chunk_list"]
stored = bytearray(open("data.tdz", "rb").read())
holes = [chance.randrange(len(stored) - 4096) for _ in range(50)]
for hole in holes:
    stored[hole:hole + 4096] = chance.randbytes(4096)
open("hurt.tdz", "wb").write(stored)
code = subprocess.run(["tdz", "recover", "-q", "hurt.tdz", "-o", "out", "--map", "map"], stderr=subprocess.DEVNULL).returncode
missing = []
for chunk in chunks:
    begin, end = chunk["stored_offset"], chunk["stored_offset"] + chunk["stored_bytes"]
    if not any(hole < end and begin < hole + 4096 for hole in holes):
        continue
    if missing and missing[-1]["offset"] + missing[-1]["length"] == chunk["original_offset"]:
        missing[-1]["length"] += chunk["original_bytes"]
    else:
        missing.append({"offset": chunk["original_offset"], "length": chunk["original_bytes"]})
expected = bytearray(data)
for gap in missing:
    expected[gap["offset"]:gap["offset"] + gap["length"]] = bytes(gap["length"])
found = json.load(open("map"))
assert code == 2 and missing, (code, missing)
assert found["missing"] == missing, found["missing"]
assert open("out", "rb").read() == expected
print(f"{len(chunks)} chunks, {found['chunks']} whole and recovered", file=sys.stderr)
PYTHON
python3 ../holes.py 20000000 64KiB 2>../said
[ -z "${TDZ_TEST_FULL:-}" ] || { rm -f ./* && python3 ../holes.py 100000000 1MiB 2>../said; }
