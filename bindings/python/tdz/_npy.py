# SPDX-License-Identifier: Apache-2.0
"""The .npy format: its header, and arrays of which only parts are restored. Pickle is never used."""

from __future__ import annotations

import ast
import math
import operator
import re
import weakref
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy

from tdz import _core

if TYPE_CHECKING:
    import io
    from collections.abc import Callable
    from types import EllipsisType

    from tdz._files import Writer
    from tdz._sources import Source

    Key = int | slice | EllipsisType | None

_MAGIC = b'\x93NUMPY'
_MOST_HEADER = 1 << 16  # bytes; records of some thousand fields have one as long
_NEVER_ASKED = 64 << 20  # bytes that may always be restored
_GAP = 1 << 20  # bytes: to restore fewer that nobody wants costs less than another call
_PIECE = 16 << 20  # bytes that are restored at once where not all are wanted


# ---- The header

class Header(NamedTuple):
    dtype: numpy.dtype[Any]
    fortran: bool
    shape: tuple[int, ...]
    length: int  #: bytes before the numbers

    @property
    def nbytes(self) -> int:
        return self.dtype.itemsize * math.prod(self.shape)


def read_header(read: Callable[[int], bytes], size: int | None) -> Header:
    """`read(count)` returns the next bytes, fewer only at the end. `size`: bytes of the whole .npy file, if known."""
    head = read(8)
    if head[:6] != _MAGIC[:len(head)] or not head:
        raise ValueError('the original is no .npy file: tdz.open() and tdz.decompress() restore its bytes')
    field = 2 if head[6:7] == b'\x01' else 4
    if len(head) == 8 and head[6] not in (1, 2, 3):
        raise _core.UnsupportedError(f'version {head[6]}.{head[7]} of .npy is not known')
    length = int.from_bytes(_all_of(read, field), 'little')
    if length > _MOST_HEADER:
        raise _core.LimitError(f'the header of the .npy file has {length} bytes; {_MOST_HEADER} are the most')
    text = _all_of(read, length)
    header = _parse(text, 'utf-8' if head[6] == 3 else 'latin-1', 8 + field + length)
    if size is not None and size != header.length + header.nbytes:
        _wrong_size(size, header)
    return header


def _all_of(read: Callable[[int], bytes], count: int) -> bytes:
    got = read(count)
    if len(got) < count:
        raise _core.TruncatedError('the .npy file ends in its header')
    return got


def _wrong_size(size: int, header: Header) -> None:
    wanted = header.length + header.nbytes
    if size < wanted:
        raise _core.TruncatedError(f'the .npy file has {size} bytes, but its header speaks of {wanted}')
    raise _core.CorruptError(
        f'{size - wanted} bytes follow the array of the .npy file; numpy.load() reads several arrays from tdz.open()'
    )


def _parse(text: bytes, encoding: str, length: int) -> Header:
    try:
        members = _literal(text.decode(encoding))
        if not isinstance(members, dict) or members.keys() != {'descr', 'fortran_order', 'shape'}:
            raise ValueError('it needs descr, fortran_order and shape alone')
        fortran, shape = members['fortran_order'], members['shape']
        if not isinstance(fortran, bool):
            raise ValueError('fortran_order is neither True nor False')
        if not isinstance(shape, tuple) or not all(type(axis) is int and axis >= 0 for axis in shape):
            raise ValueError('shape is no tuple of lengths')
        dtype = numpy.lib.format.descr_to_dtype(members['descr'])
        if dtype.subdtype or math.prod(filter(None, shape)) * max(dtype.itemsize, 1) >= 1 << 63:
            raise ValueError('no array is like this')
        numpy.broadcast_to(numpy.uint8(0), shape)  # numpy's own limits
    except (ArithmeticError, AttributeError, LookupError, MemoryError, RecursionError, SyntaxError, TypeError,
            ValueError) as error:
        raise _core.CorruptError(f'the header of the .npy file is wrong: {error}') from None
    if _has_objects(dtype):
        raise TypeError(
            'the .npy file holds Python objects, which only pickle restores. If you trust the file: '
            'numpy.load(tdz.open(file), allow_pickle=True)'
        )
    return Header(dtype, fortran, shape, length)


def _literal(text: str) -> object:
    try:
        return ast.literal_eval(text.strip())
    except SyntaxError:
        return ast.literal_eval(re.sub(r'\b(\d+)L\b', r'\1', text.strip()))  # integers of Python 2


def _has_objects(dtype: numpy.dtype[Any]) -> bool:
    return dtype.hasobject or dtype.base.kind in 'OT'


# ---- Writing, and reading from front to end

def numbers_of(given: Any) -> numpy.ndarray[Any, Any]:
    """TypeError: they would lose a mask, or are no numbers."""
    if isinstance(given, numpy.ma.MaskedArray):
        raise TypeError('the mask would be lost: give array.filled(VALUE), or array.data and array.mask as two arrays')
    array = numpy.asarray(given)
    if _has_objects(array.dtype):
        raise TypeError(f'the array holds Python objects (dtype {array.dtype}), which only pickle could save')
    return array


def storable(given: Any) -> numpy.ndarray[Any, Any]:
    """The array to write. TypeError: it would not come back as it is."""
    array = numbers_of(given)
    descr: Any = numpy.lib.format.dtype_to_descr(array.dtype)
    if numpy.lib.format.descr_to_dtype(descr) != array.dtype:
        raise TypeError(
            f'a .npy file has no name for the dtype {array.dtype}; save array.view(DTYPE) with an integer of as many bytes'
        )
    if len(repr(descr)) > _MOST_HEADER - 1024:
        raise TypeError('the names of the fields are longer than the header of a .npy file may be')
    return array


def write(target: Writer, array: numpy.ndarray[Any, Any]) -> None:
    numpy.lib.format.write_array(target, array, allow_pickle=False)


def read(original: io.BufferedReader) -> numpy.ndarray[Any, Any]:
    """From a pipe, whose length is not known before its end."""
    header = read_header(original.read, None)
    numbers = bytearray(original.read())
    if len(numbers) != header.nbytes:
        _wrong_size(header.length + len(numbers), header)
    return numpy.ndarray(header.shape, header.dtype, numbers, order='F' if header.fortran else 'C')


# ---- Reading parts

def reading_on(reader: _core.Reader) -> Callable[[int], bytes]:
    """read(count) from the beginning of the original on."""
    at = 0

    def read_on(count: int) -> bytes:
        nonlocal at
        got = reader.read(at, count)
        at += len(got)
        return got

    return read_on



class StoredArray:
    """An array in a file. It is restored where it is indexed. Threads may share it."""

    def __init__(
        self, source: Source, max_output: int | None, threads: int, find: Callable[..., Header] = read_header
    ) -> None:
        """`find(read, size)` reads what stands before the array, as read_header does."""
        reader = _core.reader(source.file, source.size, max_output=max_output, threads=threads)
        self._reader: _core.Reader | None = reader
        self._has_own_limit = max_output is not None
        self._header = find(reading_on(reader), reader.size)
        self._close = weakref.finalize(self, source.close)

    @property
    def shape(self) -> tuple[int, ...]:
        return self._header.shape

    @property
    def dtype(self) -> numpy.dtype[Any]:
        return self._header.dtype

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def nbytes(self) -> int:
        return self._header.nbytes

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError('an array without axes has no length')
        return self.shape[0]

    def __repr__(self) -> str:
        order = ', in Fortran order' if self._header.fortran and self.ndim > 1 else ''
        return f'<array in a .tdz file: shape {self.shape}, dtype {self.dtype}{order}>'

    def __getitem__(self, key: Key | tuple[Key, ...]) -> Any:
        ranges, last = _selected(key if isinstance(key, tuple) else (key,), self.shape)
        if not self._header.fortran:
            return self._restored(ranges, self.shape)[last]
        return self._restored(ranges[::-1], self.shape[::-1]).T[last]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> numpy.ndarray[Any, Any]:
        if copy is False:
            raise ValueError('the numbers of a file cannot be an array without a copy')
        array: numpy.ndarray[Any, Any] = self[...]
        return array if dtype is None else array.astype(dtype, copy=False)

    def close(self) -> None:
        self._reader = None
        self._close()

    def __enter__(self) -> StoredArray:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _open_reader(self) -> _core.Reader:
        if self._reader is None:
            raise ValueError('the array is closed')
        return self._reader

    def _restored(self, ranges: list[range], shape: tuple[int, ...]) -> numpy.ndarray[Any, Any]:
        """What the ranges select of an array of this shape in C order."""
        reader, lengths = self._open_reader(), tuple(map(len, ranges))
        wanted = math.prod(lengths) * self.dtype.itemsize
        if wanted > _NEVER_ASKED and not self._has_own_limit and wanted > _core.available_memory():
            raise _core.LimitError(
                f'{wanted} bytes are to be restored, but there is less free memory; `max_output` allows more'
            )
        out = numpy.empty(lengths, self.dtype)
        if out.nbytes:
            _Filling(reader, self._header.length, self.dtype, shape, ranges).fill(out, 0, 0)
        return out


class _Filling:
    """Reads what ranges select. Bytes are counted from the first number."""

    def __init__(
        self, reader: _core.Reader, begin: int, dtype: numpy.dtype[Any], shape: tuple[int, ...], ranges: list[range]
    ) -> None:
        self._reader, self._begin, self._dtype, self._shape, self._ranges = reader, begin, dtype, shape, ranges
        #: bytes from one index of an axis to the next
        self._strides = [dtype.itemsize * math.prod(shape[axis + 1:]) for axis in range(len(shape))]

    def fill(self, out: numpy.ndarray[Any, Any], at: int, axis: int) -> None:
        """Fills `out` with what the ranges from `axis` on select of the part that begins at `at`."""
        whole = all(r == range(n) for r, n in zip(self._ranges[axis + 1:], self._shape[axis + 1:]))
        if axis == len(self._shape):
            self._read(out, at)
        elif whole and self._ranges[axis].step == 1:
            self._read(out, at + self._ranges[axis].start * self._strides[axis])
        elif abs(self._ranges[axis].step) * self._strides[axis] <= _GAP:
            self._fill_from_blocks(out, at, axis)
        else:
            for i, index in enumerate(self._ranges[axis]):
                self.fill(out[i, ...], at + index * self._strides[axis], axis + 1)

    def _fill_from_blocks(self, out: numpy.ndarray[Any, Any], at: int, axis: int) -> None:
        """Reads what lies between the wanted numbers too."""
        wanted, stride = self._ranges[axis], self._strides[axis]
        inner = tuple(_slice(r, 0) for r in self._ranges[axis + 1:])
        step = max(_PIECE // (stride * abs(wanted.step)), 1)
        for first in range(0, len(wanted), step):
            part = wanted[first:first + step]
            low, high = min(part), max(part) + 1
            block = numpy.empty((high - low, *self._shape[axis + 1:]), self._dtype)
            self._read(block, at + low * stride)
            out[first:first + step] = block[(_slice(part, low), *inner)]

    def _read(self, out: numpy.ndarray[Any, Any], at: int) -> None:
        if self._reader.read_into(self._begin + at, out.reshape(-1).view('u1')) != out.nbytes:
            raise _core.TruncatedError('the original ends within its array')


def _slice(wanted: range, low: int) -> slice:
    stop = wanted.stop - low
    return slice(wanted.start - low, stop if stop >= 0 else None, wanted.step)


def _selected(key: tuple[Any, ...], shape: tuple[int, ...]) -> tuple[list[range], tuple[Any, ...]]:
    """For each axis the indices that are wanted, and an index for what they select, after which it is what numpy would
    give: axes of integers go, and None adds axes.
    """
    key = _expanded(key, len(shape))
    ranges: list[range] = []
    last: list[Any] = []
    for item in key:
        if item is None or item is Ellipsis:
            last.append(item)
        elif isinstance(item, slice):
            ranges.append(range(*item.indices(shape[len(ranges)])))
            last.append(slice(None))
        else:
            index = _index(item, shape[len(ranges)], len(ranges))
            ranges.append(range(index, index + 1))
            last.append(0)
    return ranges, tuple(last)


def _expanded(key: tuple[Any, ...], axes: int) -> tuple[Any, ...]:
    """With a slice for every axis that nobody named. An Ellipsis stays for an array without axes: it gives an array."""
    named = sum(item is not None and item is not Ellipsis for item in key)
    if named > axes:
        raise IndexError(f'{named} indices for an array of {axes} axes')
    places = [i for i, item in enumerate(key) if item is Ellipsis]
    if len(places) > 1:
        raise IndexError("an index has at most one '...'")
    place = places[0] if places else len(key)
    rest = (slice(None),) * (axes - named)
    return (*key[:place], *rest, *key[place:])


def _index(item: Any, length: int, axis: int) -> int:
    if isinstance(item, (bool, numpy.bool_)) or not hasattr(type(item), '__index__') or numpy.ndim(item):
        raise TypeError(
            "integers, slices, '...' and None select parts of a file; numpy.asarray(array)[...] takes other indices"
        )
    index = operator.index(item)
    if not -length <= index < length:
        raise IndexError(f'index {index} is out of bounds for axis {axis} of length {length}')
    return index + length if index < 0 else index
