# SPDX-License-Identifier: Apache-2.0
"""What the dtype of a buffer says, and that every dtype comes back."""

import ctypes
import io
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


# ---- What the buffer protocol has no word for: tdz takes a view of the same memory ----

TIMES = 'M8[ms]', '>M8[us]', 'm8[D]'


@pytest.mark.parametrize('rest', range(1, 60))
def test_a_time_in_a_record_of_any_length(rest):
    rows = numpy.zeros(500, [('time', 'M8[ms]'), ('name', f'S{rest}')])
    rows['time'] = numpy.arange(500).astype('M8[ms]')
    assert tdz.type_of(rows) == ('i64,u8' if rest == 1 else f'i64,u8x{rest}')
    assert_every_way(rows)


def assert_every_way(rows):
    """Streams, plans, blocks and files; in and out; read-only, Fortran, of no axes; not where there are gaps."""
    data = rows.tobytes()
    stored = tdz.compress(rows)
    assert tdz.decompress(stored) == data
    block = tdz.encode_block(rows, tdz.plan(rows))
    assert tdz.decode_block(block) == data
    for packed, restore in (stored, tdz.decompress), (block, tdz.decode_block):
        again = numpy.zeros_like(rows)
        assert restore(packed, out=again) == len(data)
        assert again.tobytes() == data
    file = io.BytesIO()
    with tdz.open(file, 'wb') as writer:
        assert writer.write(rows) == len(data)
    file.seek(0)
    again = numpy.zeros_like(rows)
    with tdz.open(file) as reader:
        assert reader.readinto(again.view('u1')) == len(data)
    assert again.tobytes() == data
    frozen = rows.view()  # a copy would leave the padding out
    frozen.flags.writeable = False
    assert tdz.decompress(tdz.compress(frozen)) == data
    with pytest.raises(ValueError, match='read-only'):
        tdz.decompress(stored, out=frozen)
    table = numpy.asfortranarray(rows[:rows.size // 2 * 2].reshape(2, -1))
    assert tdz.decompress(tdz.compress(table)) == ctypes.string_at(table.ctypes.data, table.nbytes)
    alone = rows[3:4].reshape(())
    assert tdz.decompress(tdz.compress(alone)) == alone.tobytes()
    assert tdz.decompress(tdz.compress(rows[:0])) == b''
    for gaps in rows[::2], rows[::-1]:
        with pytest.raises(ValueError, match='contiguous'):
            tdz.compress(gaps)


STRANGE = [
    ([('t', 'M8[s]'), ('f', '<f4', (3,)), ('k', 'u1')], 'i64,f32x3,u8'),
    ([('t', '>M8[s]'), ('f', '>f4')], 'i64,f32'),
    ([('t', '>M8[s]'), ('f', '<f4')], None),
    ([('t', 'M8[s]', (2, 3)), ('f', '<f4')], 'i64x6,f32'),
    ([('a', [('t', 'm8[s]'), ('k', 'u1')], (2,)), ('b', '<u2')], 'i64,u8,i64,u8,u16'),
    ([('a', [('b', [('t', 'm8[s]')])])], 'i64'),
    ([('t', 'M8[s]'), ('name', 'U3'), ('rest', 'V5')], 'i64,u32x3,u8x5'),
    ([('t', 'M8[s]'), ('none', '<f4', (0,)), ('void', 'V0'), ('b', '<u2')], 'i64,u16'),
    ([(('title', 't'), 'M8[s]'), ('b', '<u2')], 'i64,u16'),
    ([('t', 'M8[s]'), ('c', '<c16')], 'i64,f64x2'),
    (numpy.dtype([('k', 'u1'), ('t', 'M8[s]'), ('b', '<u2')], align=True), 'u8,u8x7,i64,u16,u8x6'),
    ({'names': ['a', 'b'], 'formats': ['<f4', '<u2'], 'offsets': [4, 0]}, 'u16,u8x2,f32'),  # in another order
    ({'names': ['a', 'b'], 'formats': ['M8[s]', '<u4'], 'offsets': [0, 4], 'itemsize': 8}, None),  # a union
    ({'names': ['t', 'b'], 'formats': ['M8[s]', '<u2'], 'offsets': [8, 30], 'itemsize': 35}, 'u8x8,i64,u8x14,u16,u8x3'),
    (numpy.dtype([('a', '>i4'), ('b', '>i2')], align=True), 'i32,i16,u8x2'),
    ([('a', numpy.dtype([('x', '<i8'), ('y', 'i1')], align=True), (2,)), ('b', '<i4')], 'i64,i8,u8x7,i64,i8,u8x7,i32'),
    ([('a', numpy.dtype({'names': ['x'], 'formats': ['<f4'], 'offsets': [1], 'itemsize': 7}), (2,)), ('b', '<u2')],
     'u8,f32,u8x3,f32,u8x2,u16'),
    ([('a:b', '<f4'), ('c', '<i4')], 'f32,i32'),
    ([(f'f{i}', f'M8[{"sD"[i % 2]}]') for i in range(70)], 'i64x70'),
]


@pytest.mark.parametrize('fields, types', STRANGE)
def test_records_of_any_fields(fields, types):
    kind = numpy.dtype(fields)
    data = (numpy.arange(600 * kind.itemsize) // 7).astype('u1').tobytes()
    rows = numpy.frombuffer(bytearray(data), kind)
    assert tdz.type_of(rows) == types
    assert_every_way(rows)


def test_times_of_either_byte_order():
    for kind in TIMES:
        assert_every_way(numpy.arange(700).astype(kind))


def test_records_with_objects_are_refused():
    for wrong in (numpy.zeros(3, [('t', 'M8[s]'), ('o', 'O')]), numpy.zeros(3, [('a', [('t', 'M8[s]'), ('o', 'O')], (2,))])):
        with pytest.raises(TypeError, match='objects or pointers'):
            tdz.compress(wrong)
    if hasattr(numpy.dtypes, 'StringDType'):
        with pytest.raises(TypeError, match='objects or pointers'):
            tdz.compress(numpy.array(['a', 'bc'], numpy.dtypes.StringDType()))


SMALL = {'bfloat16': 'u16', 'complex32': 'u16x2', 'bcomplex32': 'u16x2'}  # all others have one byte


def of_ml_dtypes():
    ml_dtypes = pytest.importorskip('ml_dtypes')
    kinds = [getattr(ml_dtypes, name) for name in dir(ml_dtypes)]
    kinds = [kind for kind in kinds if isinstance(kind, type) and issubclass(kind, numpy.generic)]
    assert len(kinds) > 10
    return kinds


def test_numbers_of_ml_dtypes():
    for kind in of_ml_dtypes():
        numbers = numpy.frombuffer(bytearray(range(240)), kind)
        assert tdz.type_of(numbers) == SMALL.get(kind.__name__)
        assert_every_way(numbers)


def test_records_of_ml_dtypes():
    for kind in of_ml_dtypes():
        rows = numpy.zeros(400, [('weight', kind), ('step', '<u4'), ('time', 'M8[s]')])
        rows['step'] = numpy.arange(400)
        assert tdz.type_of(rows) == f'{SMALL.get(kind.__name__, "u8")},u32,i64'
        assert_every_way(rows)


# ---- What is no array of numbers ----

def test_a_mask_would_be_lost():
    masked = numpy.ma.array(walk(), mask=walk() > 3)
    plan, packed = tdz.plan_for('i32'), tdz.encode_block(walk(), tdz.plan_for('i32'))
    calls = [lambda: tdz.compress(masked), lambda: tdz.plan(masked), lambda: tdz.encode_block(masked, plan),
             lambda: tdz.compress(masked, type='i32'), lambda: tdz.type_of(masked), lambda: tdz.decode_block(packed, out=masked),
             lambda: tdz.open(io.BytesIO(), 'wb').write(masked), lambda: tdz.compress(numpy.ma.array(walk())),
             lambda: tdz.compress(numpy.ma.zeros(3, 'M8[s]')), lambda: tdz.compress(numpy.ma.masked)]
    for call in calls:
        with pytest.raises(TypeError, match=r'mask, which would be lost; give array\.filled'):
            call()
    for part in masked.filled(0), masked.data, masked.mask:
        assert tdz.decompress(tdz.compress(part)) == part.tobytes()


def test_fields_that_are_called_mask_are_no_mask():
    rows = numpy.zeros(10, [('mask', 'f4'), ('filled', 'f4')]).view(numpy.recarray)
    assert tdz.decompress(tdz.compress(rows)) == rows.tobytes()


def test_tables_say_what_to_do():
    class Table:
        def __array__(self, dtype=None, copy=None):
            return walk()

    tables = [Table()]
    for name, make in ('pandas', lambda pandas: pandas.Series(walk())), ('xarray', lambda xarray: xarray.DataArray(walk())):
        try:
            tables.append(make(__import__(name)))
        except ImportError:
            pass
    for table in tables:
        for call in tdz.compress, tdz.plan, lambda table: tdz.open(io.BytesIO(), 'wb').write(table):
            with pytest.raises(TypeError, match=r'numpy\.asarray\(\) makes one'):
                call(table)
        assert tdz.decompress(tdz.compress(numpy.asarray(table))) == walk().tobytes()


def test_a_buffer_that_is_gone_says_so():
    gone = memoryview(bytes(10))
    gone.release()
    with pytest.raises(ValueError, match='released'):
        tdz.compress(gone)


# ---- Nothing ----

@pytest.mark.parametrize('nothing', [b'', bytearray(), numpy.zeros(0), numpy.zeros((3, 0), 'M8[s]'), numpy.zeros(5, 'V0'),
                                     numpy.zeros(0, [('t', 'M8[s]'), ('x', 'S27')]), numpy.zeros(4, [])], ids=range(7))
def test_nothing(nothing):
    stored = tdz.compress(nothing)
    assert tdz.decompress(stored) == b'' and tdz.check(stored) == 0 and tdz.info(stored)['original_bytes'] == 0
    assert tdz.decompress(stored, out=bytearray()) == 0
    assert tdz.decompress(stored, out=numpy.zeros(0, 'f4')) == 0
    assert tdz.decompress(stored + tdz.compress(b'abc') + stored) == b'abc'
    with pytest.raises(ValueError, match='no bytes'):
        tdz.encode_block(nothing, tdz.plan_for('u8'))
    with pytest.raises(ValueError, match='sample'):
        tdz.plan(nothing)
    with pytest.raises(tdz.TruncatedError):
        tdz.decompress(b'')
    file = io.BytesIO()
    with tdz.open(file, 'wb') as writer:
        assert writer.write(nothing) == 0
        assert writer.write(walk('f4')) == walk('f4').nbytes
        assert writer.write(nothing) == 0
    assert tdz.decompress(file.getvalue()) == walk('f4').tobytes()
    assert tdz.info(file.getvalue())['streams'][0]['type'].startswith('f32')
