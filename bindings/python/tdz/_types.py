# SPDX-License-Identifier: Apache-2.0
"""What numpy's dtypes are to tdz: memory that the buffer protocol can share, and the plan of numbers about which nothing
else is known."""
from functools import lru_cache

import numpy

LETTERS = {"b": "u", "u": "u", "i": "i", "f": "f", "c": "f", "U": "u"}
MOST_COLUMNS = 64
MOST_LANES = 256  # of packed
EFFORTS = ("normal", "fastest")  # that need no search
MOST_RECORD = 65535
BYTES = [("bytes", 1, True)]
TEXT = "SUV"  # differences of letters are no smaller than letters
OF_NUMPY = range(24)  # dtype.num of numpy's own types; those of other packages, such as ml_dtypes, have other numbers


# ---- Memory ----

def view_of_bits(array):
    """The memory of an array whose dtype the buffer protocol cannot tell, as an array whose dtype it can."""
    if array.dtype.hasobject or array.dtype.kind in "OT":
        raise TypeError("the array holds Python objects or pointers, not numbers")
    return array.view(bits(array.dtype))


@lru_cache(maxsize=256)
def bits(dtype):
    """The same bytes in types that the buffer protocol knows. Times become integers, and so does what another package
    calls a number, such as bfloat16. The fields of a record stand in the order of its bytes, with names of our own, and
    every gap is a field, because numpy does not tell of one at the end of a record. Where fields overlap, as in a union, the
    record becomes bytes.
    """
    if dtype.subdtype:
        inner, shape = dtype.subdtype
        return numpy.dtype((bits(inner), shape))
    if dtype.names is None:
        return _plain_bits(dtype)
    fields, end = [], 0
    for inner, offset, *_ in sorted((dtype.fields[name] for name in dtype.names), key=lambda field: field[1]):
        if inner.itemsize == 0:
            continue
        if offset < end:
            return numpy.dtype(f"V{dtype.itemsize}")
        fields += [f"V{offset - end}"] * (offset > end) + [bits(inner)]
        end = offset + inner.itemsize
    fields += [f"V{dtype.itemsize - end}"] * (dtype.itemsize > end)
    return numpy.dtype([(f"f{i}", inner) for i, inner in enumerate(fields)])


def _plain_bits(dtype):
    order, size = ">" if dtype.byteorder == ">" else "=", dtype.itemsize
    if dtype.kind in "mM":
        return numpy.dtype(f"{order}i8")
    if dtype.num in OF_NUMPY:
        return dtype
    if "complex" in dtype.name and size in (2, 4, 8, 16):
        return numpy.dtype([("f0", f"{order}u{size // 2}", (2,))])
    return numpy.dtype(f"{order}u{size}" if size in (1, 2, 4, 8) else f"V{size}")


# ---- Columns ----

def _type_of(dtype):
    """A field without fields of its own: ("f32", 2) for complex64. What is no number is bytes."""
    letter, size = LETTERS.get(dtype.kind, ""), dtype.itemsize
    if dtype.kind == "c":
        return (f"f{4 * size}", 2) if size <= 16 else ("bytes", size)
    if dtype.kind == "U":
        return ("u32", size // 4)
    return (f"{letter}{8 * size}", 1) if letter and size <= 8 else ("bytes", size)


def _fields(dtype):
    """The fields of what bits() returned: (type, count, is text)."""
    if dtype.subdtype:
        inner, shape = dtype.subdtype
        return [field for _ in range(int(numpy.prod(shape))) for field in _fields(inner)]
    if not dtype.names:
        return [(*_type_of(dtype), dtype.kind in TEXT)] * (dtype.itemsize > 0)
    return [field for inner, *_ in dtype.fields.values() for field in _fields(inner)]


def _joined(fields):
    """Equal fields that stand together are one column."""
    joined = []
    for kind, count, text in fields:
        if joined and joined[-1][0] == kind and joined[-1][2] == text:
            count += joined.pop()[1]
        joined.append((kind, count, text))
    return joined


def columns_of(dtype):
    """[(type, count, is text)]. One column of bytes if a plan cannot hold the fields."""
    if dtype.hasobject or dtype.kind in "OT" or dtype.itemsize > MOST_RECORD:
        return BYTES
    columns = _joined(_fields(bits(dtype)))
    if len(columns) > MOST_COLUMNS or all(kind == "bytes" for kind, _, _ in columns):
        return BYTES
    return columns


def _width(kind):
    return 1 if kind == "bytes" else int(kind[1:]) // 8


def _column(kind, count, text, order, big_endian, packed):
    width = _width(kind)
    steps = [{"step": "byteswap"}] if big_endian and width > 1 else []
    if order and not text:
        steps += [{"step": "difference", "tuple": count, "order": order, "run": 0}, {"step": "zigzag"}]
    return {"type": kind, "count": count, "steps": steps, "layout": _layout(width, count, packed and kind != "bytes")}


def _layout(width, count, packed):
    if packed:
        return {"layout": "packed", "tuple": count if count <= MOST_LANES else 1}
    if width == 1:
        return {"layout": "interleaved"}
    return {"layout": "planes"} if count == 1 else {"layout": "tuple-planes", "tuple": count}


def is_big_endian(dtype):
    if dtype.base.names:
        return any(is_big_endian(inner) for inner, *_ in dtype.base.fields.values())
    return dtype.base.byteorder == ">"


def _check_effort(effort):
    if effort not in EFFORTS:
        raise ValueError(f"effort must be 'normal' or 'fastest'; the others search, and tdz.plan takes them: {effort!r}")


def plan_members(dtype, order=1, level=3, big_endian=False, effort="normal"):
    """A plan in the form of docs/json.md: in each column of numbers a difference of this order. The effort 'fastest' packs
    groups of numbers, without zstd.
    """
    _check_effort(effort)
    fastest = effort == "fastest"
    columns = [_column(*column, order, big_endian, fastest) for column in columns_of(dtype)]
    record = sum(column["count"] * _width(column["type"]) for column in columns)
    packing = {"planes": ["stored"]} if fastest else {"level": level}
    return {"version": 1, "record": record, "columns": columns, "packing": packing}


def own_members(order, level, effort):
    """What a configuration without a plan keeps of these. `effort` stands in it only where it is not the usual one."""
    _check_effort(effort)
    if effort == "normal":
        return {"order": order, "level": level}
    if level != 3:
        raise ValueError("the effort 'fastest' packs numbers without zstd, so it has no level")
    return {"order": order, "effort": effort}
