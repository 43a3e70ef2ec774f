#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the parity notes of an undamaged .tdz file by section 5 of formats/FORMAT.md alone: parity.py FILE.tdz"""
import struct
import sys

import xxhash


def product(a, b):
    total = 0
    while b:
        total ^= a if b & 1 else 0
        a = (a << 1) ^ (0x11D if a & 0x80 else 0)
        b >>= 1
    return total


INVERSE = {a: next(b for b in range(1, 256) if product(a, b) == 1) for a in range(1, 256)}
TABLES = {}


def times(factor, piece):
    if factor not in TABLES:
        TABLES[factor] = bytes(product(factor, b) for b in range(256))
    return int.from_bytes(piece.translate(TABLES[factor]), "little")


def digest(piece):
    return xxhash.xxh3_64_intdigest(piece)


def note_at(data, at):
    """The fields of a parity note, or nothing. An undamaged file needs no other judge."""
    magic, length, kind = struct.unpack_from("<II8s", data, at)
    if magic != 0x184D2A5A or kind != b"tdz\x1aprty":
        return None
    names = ("offset", "L", "area_digest", "p", "M", "r", "E", "I", "i")
    note = dict(zip(names, struct.unpack_from("<QQQBBBBHH", data, at + 32)))
    note["T"] = length + 8
    note["body"] = data[at + 64:at + note["T"] - 8]
    return note


def check_area(data, at, begin):
    """The notes of one area, of a stream that begins at `begin`. Returns where they end."""
    first = note_at(data, at)
    length, size, parity, stripes = first["L"], 1 << first["p"], first["M"], first["I"]
    area = data[at - length:at]
    count = -(-length // size)
    assert stripes <= count and -(-count // stripes) + parity <= 256
    pieces = [area[j * size:(j + 1) * size].ljust(size, b"\0") for j in range(count)]
    digests = [digest(piece) for piece in pieces]
    whole = digest(struct.pack(f"<{count}Q", *digests))
    for r in range(parity):
        for i in range(stripes):
            note = note_at(data, at)
            assert (note["offset"], note["r"], note["i"], note["area_digest"]) == (at - begin, r, i, whole)
            assert all(note[name] == first[name] for name in ("L", "p", "M", "E", "I"))
            total = 0
            for q, piece in enumerate(pieces[i::stripes]):
                total ^= times(INVERSE[(255 - r) ^ q], piece)
            wanted = total.to_bytes(size, "little")
            if r in (0, parity - 1):
                own = digests[i::stripes]
                wanted += struct.pack(f"<{len(own)}Q", *own)
                end = begin + struct.unpack_from("<Q", note["body"], len(note["body"]) - 64)[0] if first["E"] else 0
                wanted += data[end - 72:end - 8] if first["E"] else b""
            assert note["body"] == wanted
            at += note["T"]
    return at


def check(data):
    """Returns the number of areas. Streams follow one another without zeros."""
    at = begin = areas = 0
    while at < len(data):
        magic, length, kind = struct.unpack_from("<II8s", data, at)
        if kind == b"tdz\x1aprty":
            at = check_area(data, at, begin)
            areas += 1
            continue
        if kind == b"tdz\x1aHDR ":
            begin = at
        frames = 0
        if kind == b"tdz\x1aCHK ":
            plan, substreams, count = struct.unpack_from("<III", data, at + 68)
            lengths = 96 + -(-plan // 8) * 8
            table = at + lengths + -(-(4 * substreams) // 8) * 8
            frames = sum(struct.unpack_from("<II", data, table + 8 * k)[0] for k in range(count))
        at += length + 8 + frames
    return areas


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as file:
        found = check(file.read())
    print(f"{found} areas, all as FORMAT.md says")
