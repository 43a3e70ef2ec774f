# SPDX-License-Identifier: Apache-2.0
"""What the dtype of a buffer says, and that every dtype comes back."""

import ctypes
import struct

import numpy
import pytest

import tdz
from conftest import records, walk

TYPES = {
    'i1': 'i8', 'i2': 'i16', 'u2': 'u16', 'i4': 'i32', 'u4': 'u32', 'i8': 'i64', 'u8': 'u64',
    'f2': 'f16', 'f4': 'f32', 'f8': 'f64', 'c8': 'f32x2', 'c16': 'f64x2',
    '>i2': 'i16', '>u4': 'u32', '>i8': 'i64', '>f4': 'f32', '>f8': 'f64', '>c8': 'f32x2',
    'M8[s]': 'i64', 'm8[ns]': 'i64', '>M8[ms]': 'i64', 'U3': 'u32x3',
    'u1': None, '?': None, 'S5': None, 'V7': None,
}


@pytest.mark.parametrize('dtype', TYPES)
def test_every_dtype(dtype):
    kind = numpy.dtype(dtype)
    numbers = numpy.frombuffer(walk('i8').tobytes()[:140 * kind.itemsize], kind) if kind.kind in 'SVb' \
        else walk('i8').astype(kind)
    assert tdz.type_of(numbers) == TYPES[dtype]
    assert tdz.decompress(tdz.compress(numbers)) == numbers.tobytes()
    plan = tdz.plan(numbers)
    assert tdz.decode_block(tdz.encode_block(numbers, plan)) == numbers.tobytes()


def test_big_endian_packs_as_well():
    for dtype in 'i4', 'f8':
        little, big = walk('<' + dtype), walk('>' + dtype)
        assert len(tdz.compress(big)) < 1.05 * len(tdz.compress(little)) + 200
        assert tdz.decompress(tdz.compress(big)) == big.tobytes()


FIELDS = [
    ([('a', '<u8'), ('b', '<f4', (3,)), ('c', 'u1'), ('d', '<i2')], 'u64,f32x3,u8,i16'),
    ([('a', 'i1'), ('b', '<i4')], 'i8,i32'),
    ([('O', '<f4'), ('P', '<f4')], 'f32,f32'),
    ([('a', [('x', '<f4'), ('y', '<f4')]), ('b', '<u2')], 'f32,f32,u16'),
    ([('a', [('x', '<f4'), ('y', '<u2')], (2,)), ('b', '<u2')], 'f32,u16,f32,u16,u16'),
    ([('a', '<f4', (2, 3))], 'f32x6'),
    ([('a', '<c8'), ('name', 'S3')], 'f32x2,u8x3'),
    ([('a', '>f4'), ('b', '>u2'), ('c', 'u1')], 'f32,u16,u8'),
    ([('a', '>f4'), ('b', '<u2')], None),  # no step swaps one column alone
    ([(f'f{i}', '<f4') for i in range(64)], ','.join(64 * ['f32'])),
    ([(f'f{i}', '<f4') for i in range(65)], 'f32x65'),
    ([(f'f{i}', f'<{"fu"[i % 2]}4') for i in range(65)], None),
]


@pytest.mark.parametrize('fields, types', FIELDS)
def test_structures_are_columns(fields, types):
    rows = numpy.zeros(3000, fields)
    for name in rows.dtype.names:
        if rows.dtype[name].kind in 'iuf':
            rows[name] = walk('u1', (3000,)).reshape((3000,) + (1,) * (rows[name].ndim - 1))
    assert tdz.type_of(rows) == types
    assert tdz.decompress(tdz.compress(rows)) == rows.tobytes()


def test_padding_is_a_column():
    rows = numpy.zeros(10, numpy.dtype([('a', 'i1'), ('b', '<i4'), ('c', '<i2')], align=True))
    assert rows.itemsize == 12
    assert tdz.type_of(rows) == 'i8,u8x3,i32,i16,u8x2'
    holes = numpy.zeros(10, {'names': ['a', 'b'], 'formats': ['<f4', '<u2'], 'offsets': [4, 12], 'itemsize': 20})
    assert tdz.type_of(holes) == 'u8x4,f32,u8x4,u16,u8x6'
    assert tdz.decompress(tdz.compress(holes)) == holes.tobytes()


def test_columns_pay():
    rows = records()
    assert len(tdz.compress(rows)) < len(tdz.compress(rows.tobytes(), type='bytes'))


def test_formats_without_numpy():
    for code, name in {'b': 'i8', 'h': 'i16', 'i': 'i32', 'q': 'i64', 'f': 'f32', 'd': 'f64',
                       'l': f'i{8 * struct.calcsize("l")}', 'n': f'i{8 * struct.calcsize("n")}'}.items():
        assert tdz.type_of(memoryview(bytes(80)).cast(code)) == name
    assert tdz.type_of((ctypes.c_double * 3)()) == 'f64'

    class Point(ctypes.Structure):
        _fields_ = [('x', ctypes.c_float), ('kind', ctypes.c_ubyte), ('y', ctypes.c_double)]

    points = (Point * 5)()
    assert tdz.type_of(points) in ('f32,u8,u8x3,f64', None)  # before 3.12, ctypes does not say where the padding is
    assert tdz.decompress(tdz.compress(points)) == bytes(points)
    assert tdz.type_of(b'123') is None


def test_objects_are_refused():
    for wrong in (numpy.array([None, 1]), numpy.zeros(3, [('a', 'f4'), ('b', 'O')]),
                  numpy.array(['text'], object), (ctypes.c_void_p * 3)(), (ctypes.POINTER(ctypes.c_int) * 2)()):
        with pytest.raises(TypeError, match='objects or pointers'):
            tdz.compress(wrong)


def test_scalars_and_empty_arrays():
    assert tdz.decompress(tdz.compress(numpy.float64(3))) == numpy.float64(3).tobytes()
    assert tdz.decompress(tdz.compress(numpy.zeros((3, 0), 'f4'))) == b''
