# SPDX-License-Identifier: Apache-2.0
"""The plan of numbers about which nothing is known but their dtype."""
import numpy

LETTERS = {"b": "u", "u": "u", "i": "i", "f": "f", "c": "f", "m": "i", "M": "i", "U": "u"}
MOST_COLUMNS = 64
MOST_RECORD = 65535
BYTES = [("bytes", 1, True)]
TEXT = "SUVOT"  # differences of letters are no smaller than letters


def _type_of(dtype):
    """A field without fields of its own: ("f32", 2) for complex64. What is no number is bytes."""
    letter, size = LETTERS.get(dtype.kind, ""), dtype.itemsize
    if dtype.kind == "c":
        return (f"f{4 * size}", 2) if size <= 16 else ("bytes", size)
    if dtype.kind == "U":
        return ("u32", max(1, size // 4))
    if letter and size <= 8:
        return (f"{letter}{8 * size}", 1)
    return ("bytes", max(1, size))


def _fields(dtype):
    """The fields of a record in the order of its bytes, with the gaps between them: (type, count, is text)."""
    if dtype.subdtype:
        inner, shape = dtype.subdtype
        return [field for _ in range(int(numpy.prod(shape))) for field in _fields(inner)]
    if not dtype.names:
        return [(*_type_of(dtype), dtype.kind in TEXT)]
    fields, end = [], 0
    for inner, offset, *_ in sorted(dtype.fields.values(), key=lambda field: field[1]):
        if offset < end:  # fields that overlap, as in a union
            return [("bytes", dtype.itemsize, True)]
        fields += [("bytes", offset - end, True)] * (offset > end) + _fields(inner)
        end = offset + inner.itemsize
    return fields + [("bytes", dtype.itemsize - end, True)] * (dtype.itemsize > end)


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
    columns = _joined(_fields(dtype))
    if len(columns) > MOST_COLUMNS or all(kind == "bytes" for kind, _, _ in columns):
        return BYTES
    return columns


def _width(kind):
    return 1 if kind == "bytes" else int(kind[1:]) // 8


def _column(kind, count, text, order, big_endian):
    width = _width(kind)
    steps = [{"step": "byteswap"}] if big_endian and width > 1 else []
    if order and not text:
        steps += [{"step": "difference", "tuple": count, "order": order, "run": 0}, {"step": "zigzag"}]
    return {"type": kind, "count": count, "steps": steps, "layout": _layout(width, count)}


def _layout(width, count):
    if width == 1:
        return {"layout": "interleaved"}
    return {"layout": "planes"} if count == 1 else {"layout": "tuple-planes", "tuple": count}


def is_big_endian(dtype):
    if dtype.names:
        return any(is_big_endian(inner) for inner, *_ in dtype.fields.values())
    return dtype.base.byteorder == ">"


def plan_members(dtype, order=1, level=3, big_endian=False):
    """A plan in the form of docs/json.md: in each column of numbers a difference of this order."""
    columns = [_column(*column, order, big_endian) for column in columns_of(dtype)]
    record = sum(column["count"] * _width(column["type"]) for column in columns)
    return {"version": 1, "record": record, "columns": columns, "packing": {"level": level}}
