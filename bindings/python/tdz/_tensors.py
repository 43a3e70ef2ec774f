# SPDX-License-Identifier: Apache-2.0
"""The header of a safetensors file: where each tensor lies, so that one is restored without the others.

A length of 8 bytes, a header of JSON, and then the numbers of all tensors, one tensor after the other, without gaps:
https://github.com/huggingface/safetensors#format
"""

from __future__ import annotations

import difflib
import functools
import json
import re
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy

from tdz import _core
from tdz._npy import Header

if TYPE_CHECKING:
    from collections.abc import Callable

_LENGTH_BYTES = 8
_MOST_HEADER = 100_000_000  # bytes, as in the package safetensors; thousands of tensors have less than 1 MiB
_MOST_ENTRY = 1 << 20  # bytes of what a header says of one tensor: usual are 100
_BLANKS = re.compile(rb'[ \t\n\r]*')
_PLAIN_PAIR = re.compile(rb'_"[^"\\]*"_:_"[^"\\]*"_,_'.replace(b'_', _BLANKS.pattern))  # of strings without escapes

#: what numpy calls the dtypes of safetensors, all little-endian
_NUMPY = {
    'F64': '<f8', 'F32': '<f4', 'F16': '<f2', 'C64': '<c8', 'I64': '<i8', 'I32': '<i4', 'I16': '<i2', 'I8': 'i1',
    'U64': '<u8', 'U32': '<u4', 'U16': '<u2', 'U8': 'u1', 'BOOL': '?',
}
#: what ml_dtypes calls those that numpy does not know, and integers of as many bits
_OTHERS = {
    'BF16': ('bfloat16', '<u2'), 'F8_E4M3': ('float8_e4m3fn', 'u1'), 'F8_E5M2': ('float8_e5m2', 'u1'),
    'F8_E8M0': ('float8_e8m0fnu', 'u1'), 'F8_E4M3FNUZ': ('float8_e4m3fnuz', 'u1'),
    'F8_E5M2FNUZ': ('float8_e5m2fnuz', 'u1'),
}


class Tensor(NamedTuple):
    """A tensor of a safetensors file."""

    dtype: str  #: as the file names it: 'BF16'
    shape: tuple[int, ...]
    offset: int  #: of its first byte in the original
    nbytes: int


def read_tensors(read: Callable[[int], bytes], size: int) -> dict[str, Tensor]:
    """`read(count)` returns the next bytes, fewer only at the end. `size`: bytes of the whole original."""
    head = read(_LENGTH_BYTES + 1)
    if len(head) <= _LENGTH_BYTES or head[_LENGTH_BYTES:] != b'{':
        raise ValueError('the original is no safetensors file: tdz.open() and tdz.decompress() restore its bytes')
    length = int.from_bytes(head[:_LENGTH_BYTES], 'little')
    begin = _LENGTH_BYTES + length
    if begin > size:
        raise _core.TruncatedError(
            f'the original has {size} bytes, but as a safetensors file it would have a header of {length} bytes'
        )
    if length > _MOST_HEADER:
        raise _core.LimitError(f'the header of the safetensors file has {length} bytes; {_MOST_HEADER} are the most')
    try:
        tensors = _tensors(read(length - 1), begin)
    except (RecursionError, TypeError, ValueError) as error:
        raise _core.CorruptError(f'the header of the safetensors file is wrong: {error}') from None
    _check_places(tensors, begin, size)
    return tensors


# ---- The header, member by member: all of its JSON at once would take 28 times its memory

def _tensors(text: bytes, begin: int) -> dict[str, Tensor]:
    """`text` is what follows the first brace. `begin`: of the first tensor in the original."""
    tensors: dict[str, Tensor] = {}
    has_metadata = False
    at, has_more = _next_member(text, 0, first=True)
    while has_more:
        name, at = _name(text, at)
        if name in tensors or (name == '__metadata__' and has_metadata):
            raise ValueError(f'{name!r} stands in it twice')
        if name == '__metadata__':
            at, has_metadata = _after_metadata(text, at), True
        else:
            end = _end_of_entry(text, at, name)
            members = _ENTRY.decode(text[at:end].decode())
            tensors[name] = _tensor(name, members, begin)
            at = end
        at, has_more = _next_member(text, at, first=False)
    if _after_blanks(text, at) != len(text):
        raise ValueError('something follows its end')
    return tensors


def _after_blanks(text: bytes, at: int) -> int:
    found = _BLANKS.match(text, at)
    return found.end() if found else at


def _after(text: bytes, at: int, wanted: bytes) -> int:
    at = _after_blanks(text, at)
    if text[at:at + 1] != wanted:
        raise ValueError(f'a {wanted.decode()!r} is missing at byte {_LENGTH_BYTES + 1 + at} of the file')
    return _after_blanks(text, at + 1)


def _next_member(text: bytes, at: int, first: bool) -> tuple[int, bool]:
    """Where it begins, and True; or where the object has ended, and False."""
    at = _after_blanks(text, at)
    if text[at:at + 1] == b'}':
        return at + 1, False
    return (at if first else _after(text, at, b',')), True


def _after_string(text: bytes, at: int) -> int:
    if text[at:at + 1] != b'"':
        raise ValueError(f'a string is missing at byte {_LENGTH_BYTES + 1 + at} of the file')
    at += 1
    while (end := text.find(b'"', at)) >= 0:
        piece = text[at:end]
        at = end + 1
        if (len(piece) - len(piece.rstrip(b'\\'))) % 2 == 0:  # else the quotation mark is a part of the string
            return at
    raise ValueError('a string in it has no end')


def _name(text: bytes, at: int) -> tuple[str, int]:
    """A name, and where its value begins."""
    end = _after_string(text, at)
    if end - at > _MOST_ENTRY:
        raise _core.LimitError(f'a name in the header of the safetensors file has more than {_MOST_ENTRY} bytes')
    return json.loads(text[at:end].decode()), _after(text, end, b':')


def _end_of_entry(text: bytes, at: int, name: str) -> int:
    if text[at:at + 1] != b'{':
        raise ValueError(f'the tensor {name!r} needs dtype, shape and data_offsets')
    end = text.find(b'}', at, at + _MOST_ENTRY)
    if end >= 0:
        return end + 1
    if len(text) - at < _MOST_ENTRY:
        raise ValueError(f'what it says of the tensor {name!r} has no end')
    raise _core.LimitError(
        f'the header of the safetensors file says more than {_MOST_ENTRY} bytes of the tensor {name!r}'
    )


def _after_metadata(text: bytes, at: int) -> int:
    """It maps strings to strings, and nobody asks for them."""
    at, has_more = _next_member(text, _after(text, at, b'{'), first=True)
    while has_more:
        while pair := _PLAIN_PAIR.match(text, at):  # in metadata of many megabytes all, if it does not lie
            at = pair.end()
        at = _after_string(text, _after(text, _after_string(text, at), b':'))
        at, has_more = _next_member(text, at, first=False)
    return at


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError('a name stands twice in what it says of a tensor')
    return members


_ENTRY = json.JSONDecoder(object_pairs_hook=_without_doubles)


def _tensor(name: str, said: Any, begin: int) -> Tensor:
    if not isinstance(said, dict) or said.keys() != {'dtype', 'shape', 'data_offsets'}:
        raise ValueError(f'the tensor {name!r} needs dtype, shape and data_offsets alone')
    dtype, shape, offsets = said['dtype'], said['shape'], said['data_offsets']
    if not isinstance(dtype, str):
        raise ValueError(f'the dtype of the tensor {name!r} is no text')
    if not _are_lengths(shape) or not _are_lengths(offsets) or len(offsets) != 2 or offsets[0] > offsets[1]:
        raise ValueError(f'the shape or the data_offsets of the tensor {name!r} are no lengths')
    tensor = Tensor(sys.intern(dtype), tuple(shape), begin + offsets[0], offsets[1] - offsets[0])
    known = _dtype(dtype)
    if known is not None and _product(shape, tensor.nbytes) * known.itemsize != tensor.nbytes:
        raise ValueError(f'the tensor {name!r} has {tensor.nbytes} bytes, but {dtype} of its shape has another length')
    return tensor


def _product(lengths: list[int], most: int) -> int:
    """Or a number above `most`: a long list of large lengths would take hours."""
    product = 0 if 0 in lengths else 1
    for length in lengths:
        if product > most:
            break
        product *= length
    return product


def _are_lengths(list_: Any) -> bool:
    return isinstance(list_, list) and all(type(item) is int and 0 <= item < 1 << 63 for item in list_)


def _check_places(tensors: dict[str, Tensor], begin: int, size: int) -> None:
    """The tensors follow one another from the header to the end of the file."""
    end = begin
    for name in sorted(tensors, key=lambda name: (tensors[name].offset, tensors[name].nbytes)):
        tensor = tensors[name]
        if tensor.offset < end:
            raise _core.CorruptError(f'the header of the safetensors file is wrong: the tensor {name!r} overlaps another')
        if tensor.offset > end:
            raise _core.CorruptError(
                f'the header of the safetensors file is wrong: {tensor.offset - end} bytes before the tensor {name!r} '
                'are of no tensor'
            )
        end += tensor.nbytes
    if end > size:
        raise _core.TruncatedError(f'the safetensors file has {size} bytes, but its header speaks of {end}')
    if end < size:
        raise _core.CorruptError(f'{size - end} bytes follow the last tensor of the safetensors file')


@functools.lru_cache(maxsize=64)  # an import that fails takes long
def _dtype(name: str) -> numpy.dtype[Any] | None:
    if name in _NUMPY:
        return numpy.dtype(_NUMPY[name])
    if name not in _OTHERS:
        return None
    own, bits = _OTHERS[name]
    try:
        import ml_dtypes
    except ImportError:
        return numpy.dtype(bits)
    return numpy.dtype(getattr(ml_dtypes, own, bits))


def find(name: str) -> Callable[[Callable[[int], bytes], int], Header]:
    """For StoredArray: reads the header of the file, and gives that of the tensor as an array."""

    def header(read: Callable[[int], bytes], size: int) -> Header:
        tensors = read_tensors(read, size)
        if name not in tensors:
            close = difflib.get_close_matches(name, list(tensors)[:10000], 1)
            hint = f'; is {close[0]!r} meant?' if close else ';'
            raise KeyError(f'the file has no tensor {name!r}{hint} tdz.tensors() lists its {len(tensors)} tensors')
        tensor = tensors[name]
        dtype = _dtype(tensor.dtype)
        if dtype is None:
            raise _core.UnsupportedError(
                f'the tensor {name!r} has the dtype {tensor.dtype}, which numpy does not have; '
                f'tdz.open() restores its {tensor.nbytes} bytes from byte {tensor.offset} on'
            )
        try:
            numpy.broadcast_to(numpy.zeros((), dtype), tensor.shape)  # numpy's own limits
        except ValueError as error:
            raise _core.UnsupportedError(f'the tensor {name!r} is no array of numpy: {error}') from None
        return Header(dtype, False, tensor.shape, tensor.offset)

    return header
