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


UNIFORM = """{"version": 1, "record": 4, "columns": [{"type": "i16", "count": 2,
  "steps": [{"step": "difference", "tuple": 2, "order": 1, "run": 1024}, {"step": "zigzag"}],
  "layout": {"layout": "tokens", "tuple": 2, "k": 3, "m": 1, "run": 1024}}], "packing": {"uniform": true}}"""

CASES = [
    Case("empty", b"", ("--type", "u8")),
    Case("one_byte", b"7", ("--type", "u64")),
    Case("i16x2", packed("h", walk(5000, 50, 1)) + b"?", ("--type", "i16x2")),
    Case("f32x3_chunks", floats(36001, 2), ("--type", "f32x3", "--chunk", "64KiB", "-19")),
    Case("u8x3_frames", packed("b", walk(15000, 2, 3)), ("--type", "u8x3", "--frame", "4KiB")),
    Case("i32_header", b"a header of its own\n" * 5 + packed("i", walk(2500, 900, 4), ">"),
         ("--type", "i32", "--big-endian", "--offset", "100")),
    Case("u16_rows", packed("h", [(x * x + y * y) // 7 for y in range(80) for x in range(64)]),
         ("--type", "u16", "--row", "64", "--layout", "planes", "-1")),
    Case("bit_planes", packed("h", walk(4003, 3, 5)), ("--type", "i16", "--layout", "bit-planes", "--order", "2")),
    Case("order8", packed("q", [n**5 - 3 * n for n in range(1500)]), ("--type", "u64x2", "--order", "8", "--zigzag", "off")),
    Case("columns", b"".join(map(b"".join, zip(rows("q", 10**9, 9), rows("i", 300, 10), rows("h", 9, 11), [b"\0\1\2"] * 1500))),
         ("--type", "u64,i32,u16,u24")),
    Case("odd_width", b"".join(number.to_bytes(5, "little", signed=True) for number in walk(2001, 5000, 12)) + b"!!",
         ("--type", "i40", "--order", "2")),
    Case("piped", packed("i", walk(40000, 20, 6)), ("--type", "i32", "--chunk", "64KiB"), piped=True),
    Case("found_out", packed("h", walk(20000, 30, 7)), (), pinned=False),
    Case("decimals", struct.pack("<6000d", *(number / 100 for number in walk(6000, 40, 13))), (), pinned=False),
    Case("uniform", packed("h", walk(30000, 40, 14)), plan=UNIFORM),
    Case("best", packed("i", walk(9000, 70, 8)), ("--best",), pinned=False),
]
