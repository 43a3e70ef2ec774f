# SPDX-License-Identifier: Apache-2.0
"""What the files of tests/compat hold, and how they were written. Cases are only added, because old files are tested by them.

Originals are computed, so no test trusts a stored original.
"""
import dataclasses
import struct


@dataclasses.dataclass(frozen=True)
class Case:
    name: str
    original: bytes
    options: tuple = ()
    piped: bool = False  # by standard input: the length is not known in advance
    plan: str = ""  # as JSON: written by tdz_write_plan, because no option names it
    pinned: bool = True  # all steps are given, so they do not depend on zstd's results for samples


def walk(count, step, seed):
    """Integers that change slowly: sums of small steps."""
    state, value, numbers = seed, 0, []
    for _ in range(count):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        value += (state >> 33) % (2 * step + 1) - step
        numbers.append(value)
    return numbers


def packed(letter, numbers, order="<"):
    bits = 8 * struct.calcsize(letter)
    letter = letter.upper()
    return struct.pack(f"{order}{len(numbers)}{letter}", *(number % 2**bits for number in numbers))


def floats(count, seed):
    return struct.pack(f"<{count}f", *(number / 64 for number in walk(count, 9, seed)))


def rows(letter, step, seed):
    """1500 numbers, each by itself."""
    return [packed(letter, [number]) for number in walk(1500, step, seed)]


def said(numbers, *more):
    """All steps are given, so the search adds none."""
    return ("--type", numbers, "--order", "1", "--zigzag", "on", "--layout", "tuple-planes", *more)


SCALE = """{"version": 1, "record": 4, "columns": [{"type": "f32", "count": 1, "steps": [{"step": "scale", "tuple": 1, "kind": "real"},
  {"step": "difference", "tuple": 1, "order": 1, "run": 0}, {"step": "zigzag"}],
  "layout": {"layout": "tokens", "tuple": 1, "k": 4, "m": 2, "run": 0}}]}"""

LANES = """{"version": 1, "record": 6, "columns": [{"type": "i16", "count": 3, "steps": [{"step": "lanes", "run": 1024, "rules": [
  {"order": 1, "zigzag": true}, {"source": 0, "lag": 1, "order": 1, "zigzag": true}, {"source": 1, "after": true, "order": 2}]}],
  "layout": {"layout": "tuple-planes", "tuple": 3}}]}"""

PREDICT = """{"version": 1, "record": 3, "columns": [{"type": "i24", "count": 1, "steps": [
  {"step": "predict", "tuple": 1, "signed": true}, {"step": "zigzag"}], "layout": {"layout": "bit-planes"}}]}"""


def with_gaps(numbers):
    """Hundredths as f32; where nothing was measured stands -999.9."""
    return struct.pack(f"<{len(numbers)}f", *(-999.9 if n % 7 == 0 else n / 100 for n in numbers))


UNIFORM = """{"version": 1, "record": 4, "columns": [{"type": "i16", "count": 2,
  "steps": [{"step": "difference", "tuple": 2, "order": 1, "run": 1024}, {"step": "zigzag"}],
  "layout": {"layout": "tokens", "tuple": 2, "k": 3, "m": 1, "run": 1024}}], "packing": {"uniform": true}}"""

CASES = [
    Case("empty", b"", ("--type", "u8")),
    Case("one_byte", b"7", ("--type", "u64")),
    Case("i16x2", packed("h", walk(5000, 50, 1)) + b"?", said("i16x2")),
    Case("f32x3_chunks", floats(36001, 2), said("f32x3", "--chunk", "64KiB", "-19")),
    Case("u8x3_frames", packed("b", walk(15000, 2, 3)), said("u8x3", "--frame", "4KiB")),
    Case("i32_header", b"a header of its own\n" * 5 + packed("i", walk(2500, 900, 4), ">"),
         said("i32x1", "--big-endian", "--offset", "100")),
    Case("u16_rows", packed("h", [(x * x + y * y) // 7 for y in range(80) for x in range(64)]),
         ("--type", "u16x1", "--order", "1", "--zigzag", "on", "--row", "64", "--layout", "planes", "-1")),
    Case("bit_planes", packed("h", walk(4003, 3, 5)), ("--type", "i16x1", "--order", "2", "--zigzag", "on", "--layout", "bit-planes")),
    Case("order8", packed("q", [n**5 - 3 * n for n in range(1500)]), ("--type", "u64x2", "--order", "8", "--zigzag", "off", "--layout", "tuple-planes")),
    Case("columns", b"".join(map(b"".join, zip(rows("q", 10**9, 9), rows("i", 300, 10), rows("h", 9, 11), [b"\0\1\2"] * 1500))),
         ("--type", "u64,i32,u16,u24"), pinned=False),
    Case("odd_width", b"".join(number.to_bytes(5, "little", signed=True) for number in walk(2001, 5000, 12)) + b"!!",
         ("--type", "i40", "--order", "2"), pinned=False),
    Case("piped", packed("i", walk(40000, 20, 6)), said("i32x1", "--chunk", "64KiB"), piped=True),
    Case("found_out", packed("h", walk(20000, 30, 7)), (), pinned=False),
    Case("decimals", struct.pack("<6000d", *(number / 100 for number in walk(6000, 40, 13))), (), pinned=False),
    Case("uniform", packed("h", walk(30000, 40, 14)), plan=UNIFORM),
    Case("scale", with_gaps(walk(20000, 40, 15)), plan=SCALE),
    Case("lanes", packed("h", walk(9001, 30, 16)), plan=LANES),
    Case("predict", b"".join(n.to_bytes(3, "little", signed=True) for n in walk(9000, 99, 17)), plan=PREDICT),
    Case("best", packed("i", walk(9000, 70, 8)), ("--best",), pinned=False),
]
