# SPDX-License-Identifier: Apache-2.0
"""The header of a safetensors file: where each tensor lies, so that one is restored without the others.

A length of 8 bytes, a header of JSON, and then the numbers of all tensors, one tensor after the other, without gaps:
https://github.com/huggingface/safetensors#format
"""

from __future__ import annotations

import difflib
import json
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy

from tdz import _core
from tdz._npy import Header

if TYPE_CHECKING:
    from collections.abc import Callable

_LENGTH_BYTES = 8
_MOST_HEADER = 32 << 20  # bytes; models with thousands of tensors have less than 1 MiB

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
    text = head[_LENGTH_BYTES:] + read(length - 1)
    try:
        members = json.loads(text.decode(), object_pairs_hook=_without_doubles)
        if not isinstance(members, dict):
            raise ValueError('it is no object')
        members.pop('__metadata__', None)
        tensors = {name: _tensor(name, members[name], begin) for name in members}
    except (RecursionError, TypeError, ValueError) as error:
        raise _core.CorruptError(f'the header of the safetensors file is wrong: {error}') from None
    _check_places(tensors, begin, size)
    return tensors


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise ValueError(f'{twice!r} stands in it twice')
    return members


def _tensor(name: str, said: Any, begin: int) -> Tensor:
    if not isinstance(said, dict) or said.keys() != {'dtype', 'shape', 'data_offsets'}:
        raise ValueError(f'the tensor {name!r} needs dtype, shape and data_offsets alone')
    dtype, shape, offsets = said['dtype'], said['shape'], said['data_offsets']
    if not isinstance(dtype, str):
        raise ValueError(f'the dtype of the tensor {name!r} is no text')
    if not _are_lengths(shape) or not _are_lengths(offsets) or len(offsets) != 2 or offsets[0] > offsets[1]:
        raise ValueError(f'the shape or the data_offsets of the tensor {name!r} are no lengths')
    tensor = Tensor(dtype, tuple(shape), begin + offsets[0], offsets[1] - offsets[0])
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
    for name, tensor in sorted(tensors.items(), key=lambda item: (item[1].offset, item[1].nbytes)):
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
