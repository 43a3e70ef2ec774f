#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Do two builds of tdz write the same bytes? For the cases of tests/compat, with every step; for their originals and longer ones, as
the search chooses, with each effort. Both builds need the same zstd.

same_bytes.py TDZ WRITE_PLAN OTHER_TDZ OTHER_WRITE_PLAN      each may be several words
"""
import pathlib
import random
import shlex
import struct
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # nothing of it belongs into the tree
from cases import CASES, packed, walk, with_gaps  # noqa: E402

TDZ, WRITE_PLAN, OTHER_TDZ, OTHER_WRITE_PLAN = map(shlex.split, sys.argv[1:5])


def wave(count):
    """A rotation in integers, and a little noise."""
    a, b, samples = 8000, 0, []
    for noise in walk(count, 9, 31):
        b += a * 27 // 128
        a -= b * 27 // 128
        samples.append(a + noise % 7)
    return samples


def longer():
    """Originals that the search samples: times, decimals with gaps, sound, all of these as records, noise that stands twice."""
    count = 24000
    times = [10**12 + 1000 * i + n for i, n in enumerate(walk(count, 40, 21))]
    levels, sound = walk(count, 40, 22), wave(2 * count)
    fields = zip(packed_each("q", times), (with_gaps([level]) for level in levels), packed_each("h", sound))
    noise = random.Random(1).randbytes(150000)
    return {"times": packed("q", times), "levels": with_gaps(levels), "prices": struct.pack(f"<{count}d", *(n / 100 for n in levels)),
            "sound": packed("h", sound), "records": b"".join(map(b"".join, fields)), "twice": noise + noise}


def packed_each(letter, numbers):
    return (packed(letter, [number]) for number in numbers)


def output(words, original=None):
    return subprocess.run(words, input=original, stdout=subprocess.PIPE, check=True).stdout


def by_case(case, path):
    """What both builds write for the case."""
    if case.plan:
        return [output([*program, case.plan], case.original) for program in (WRITE_PLAN, OTHER_WRITE_PLAN)]
    return by_options(case.options, path)


def by_options(options, path):
    return [output([*program, "-q", "-c", *options, path]) for program in (TDZ, OTHER_TDZ)]


def main():
    checked, faults = 0, []

    def check(name, both):
        nonlocal checked
        checked += 1
        if both[0] != both[1]:
            faults.append(name)
            print(f"{name}: {len(both[0])} bytes, and {len(both[1])} other ones")

    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "original"
        originals = {case.name: case.original for case in CASES}
        for case in CASES:
            path.write_bytes(case.original)
            check(case.name, by_case(case, path))
        for name, original in (originals | longer()).items():
            path.write_bytes(original)
            for effort in ("--fastest", "--fast", "-3", "--best"):
                check(f"{name} {effort}", by_options([effort], path))
    print(f"{checked} streams, {len(faults)} with other bytes")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
