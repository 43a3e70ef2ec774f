# SPDX-License-Identifier: Apache-2.0
"""What the files of tests/compat hold, and how they were written. Cases are only added, because old files are tested by them.

Originals are computed, so no test trusts a stored original.
"""
import dataclasses
import json
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

def steps_of(kind, count, layout, *steps, **packing):
    """A plan of one column."""
    column = {"type": kind, "count": count, "steps": list(steps), "layout": layout}
    return json.dumps({"version": 1, "record": count * int(kind[1:]) // 8, "columns": [column], "packing": packing})


def groups(lanes):
    return {"layout": "packed", "tuple": lanes}


def delta(lanes, order=1, run=0):
    return {"step": "difference", "tuple": lanes, "order": order, "run": run}


def grid(lanes, line, neighbours, height=0, signed=False):
    return {"step": "grid", "tuple": lanes, "signed": signed, "line": line, "height": height,
            "neighbours": sum(1 << number for number in neighbours)}


ZIGZAG = {"step": "zigzag"}
PLANES = {"layout": "planes"}


def every_width(count):
    """Numbers of 1 to 64 bits, 16 of each: more widths than a table of groups holds."""
    return [noise % 2**(1 + i // 16 % 64) for i, noise in enumerate(walk(count, 2**62, 18))]


def small(count, most, seed):
    """Integers from -most to most, each by itself."""
    numbers = walk(count + 1, most, seed)
    return [b - a for a, b in zip(numbers, numbers[1:])]


def picture(width, height, colours, seed):
    """Colours that change slowly along both axes, with noise that all colours have in part."""
    points, own = small(width * height, 3, seed), iter(small(width * height * colours, 1, seed + 100))
    return [3 * x + 5 * y + x * y // 40 + 9 * colour + points[y * width + x] + next(own)
            for y in range(height) for x in range(width) for colour in range(colours)]


def volume(width, height, slices, seed):
    """A hill whose place moves from slice to slice."""
    noise = iter(small(width * height * slices, 4, seed))
    return [3000 - 4 * (x - z - width // 2)**2 - 3 * (y - height // 2)**2 + next(noise)
            for z in range(slices) for y in range(height) for x in range(width)]


def relief(width, height, seed):
    """Heights along two rugged axes."""
    a, b, noise = walk(width, 30, seed), walk(height, 30, seed + 1), small(width * height, 6, seed + 2)
    return [2000 + a[x] + b[y] + a[x] * b[y] // 200 + noise[y * width + x] for y in range(height) for x in range(width)]


PACKED_COLUMNS = json.dumps({"version": 1, "record": 19, "columns": [
    {"type": "u64", "count": 1, "steps": [delta(1, 2), ZIGZAG], "layout": groups(1)},
    {"type": "i16", "count": 3, "steps": [delta(3), ZIGZAG], "layout": groups(3)},
    {"type": "i40", "count": 1, "steps": [], "layout": groups(1)}]})


def mixed_rows():
    fields = zip(rows("q", 10**9, 26), rows("h", 9, 27), rows("h", 90, 28), rows("h", 900, 29), walk(500, 10**9, 30))
    return b"".join(b"".join(more) + last.to_bytes(5, "little", signed=True) for *more, last in fields)


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
    # Since 0.2.0, which writes format 1.1
    Case("packed_u8x3", packed("b", walk(3001, 2, 19)), plan=steps_of("u8", 3, groups(3), delta(3), ZIGZAG)),
    Case("packed_i16x2", packed("h", walk(3003, 40, 20)), plan=steps_of("i16", 2, groups(2), delta(2), ZIGZAG)),
    Case("packed_i24", b"".join(n.to_bytes(3, "little", signed=True) for n in walk(1507, 3000, 21)) + b"!",
         plan=steps_of("i24", 1, groups(1), delta(1, 2), ZIGZAG)),
    Case("packed_f32x5", floats(1003, 22), plan=steps_of("f32", 5, groups(5), delta(5, 3), ZIGZAG)),
    Case("packed_u64", packed("q", every_width(1024)), plan=steps_of("u64", 1, groups(1))),
    Case("packed_u64x256", packed("q", walk(3000, 9, 23)), plan=steps_of("u64", 256, groups(256), delta(256, 2), ZIGZAG)),
    Case("packed_byteswap", packed("i", walk(2000, 500, 24), ">"),
         plan=steps_of("i32", 1, groups(1), {"step": "byteswap"}, delta(1), ZIGZAG)),
    Case("packed_lanes", packed("h", walk(3001, 30, 25)), plan=steps_of("i16", 3, groups(3), {"step": "lanes", "run": 0, "rules": [
        {"order": 1, "zigzag": True}, {"source": 0, "order": 1, "zigzag": True}, {"source": 1, "after": True, "zigzag": True}]})),
    Case("packed_columns", mixed_rows() + b"the rest", plan=PACKED_COLUMNS),
    Case("packed_scale", with_gaps(walk(3000, 40, 31)),
         plan=steps_of("f32", 1, groups(1), {"step": "scale", "tuple": 1, "kind": "real"}, delta(1), ZIGZAG)),
    Case("packed_runs", packed("h", walk(6000, 40, 32)), plan=steps_of("i16", 2, groups(2), delta(2, 1, 1024), ZIGZAG)),
    Case("packed_chunks", packed("i", walk(20000, 9, 33)), ("--fastest", "--type", "i32", "--order", "1", "--zigzag", "on", "--chunk", "64KiB")),
    Case("fastest", packed("h", walk(4000, 30, 34)), ("--fastest",), pinned=False),
    Case("fastest_gpu", packed("i", walk(8192, 30, 35)), ("--fastest", "--gpu"), pinned=False),
    Case("fastest_piped", packed("h", walk(4000, 30, 36)), ("--fastest", "--type", "i16x2", "--order", "1", "--zigzag", "on"), piped=True),
    Case("grid_picture", packed("b", picture(50, 41, 3, 37)),
         plan=steps_of("u8", 3, {"layout": "tuple-planes", "tuple": 3}, grid(3, 50, (*range(8), *range(8, 14))), ZIGZAG)),
    Case("grid_volume", packed("h", volume(24, 19, 9, 38)) + packed("h", range(50)),
         plan=steps_of("i16", 1, PLANES, grid(1, 24, (0, 2, 3, 4, *range(14, 24)), 19, True), ZIGZAG)),
    Case("grid_tokens", packed("h", picture(37, 60, 1, 39)),
         plan=steps_of("u16", 1, {"layout": "tokens", "tuple": 1, "k": 4, "m": 2, "run": 0}, grid(1, 37, (0, 1, 2, 3, 4, 5, 6, 7)), ZIGZAG)),
    Case("grid_packed", packed("i", [900 * n for n in picture(31, 50, 1, 40)]), plan=steps_of("i32", 1, groups(1), grid(1, 31, (0, 2, 3), 0, True), ZIGZAG)),
    Case("grid_after_difference", packed("i", [n * n for n in picture(30, 50, 1, 41)]),
         plan=steps_of("i32", 1, PLANES, delta(1), grid(1, 30, (0, 2, 4, 7), 0, True), ZIGZAG)),
    Case("grid_after_scale", struct.pack("<1500f", *(n / 100 for n in picture(30, 50, 1, 42))),
         plan=steps_of("f32", 1, PLANES, {"step": "scale", "tuple": 1, "kind": "real"}, grid(1, 30, (0, 2, 3), 0, True), ZIGZAG)),
    Case("grid_u64", packed("q", [n * 10**12 for n in picture(16, 40, 2, 43)]), plan=steps_of("u64", 2, PLANES, grid(2, 16, (0, 2, 8, 11), 13), ZIGZAG)),
    Case("grid_short", packed("h", range(40)), plan=steps_of("i16", 1, PLANES, grid(1, 64, (0, 2), 0, True), ZIGZAG)),
    Case("grid_found", packed("h", relief(100, 100, 44)), (), pinned=False),
    Case("raw_frames", packed("h", walk(2000, 120, 47)), plan=steps_of("i16", 1, PLANES, delta(1), ZIGZAG, planes=["stored", "search"])),
    Case("protected", packed("h", walk(4000, 50, 45)), ("--fastest", "--type", "i16x2", "--order", "1", "--zigzag", "on", "--protect", "20")),
    Case("protected_chunks", packed("i", walk(20000, 9, 46)), said("i32x1", "--chunk", "64KiB", "--protect", "10"), pinned=False),
]
