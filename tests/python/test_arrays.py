# SPDX-License-Identifier: Apache-2.0
"""tdz.save and tdz.load: arrays with dtype, shape and order; parts of them; files that lie."""

import io
import os
import pickle
import random
import struct
import subprocess
import sys
import threading
import warnings

import numpy
import pytest

import tdz
from conftest import in_threads, records, walk

ARRAYS = {
    'f4': lambda: walk('f4', (50, 40, 30)),
    'big-endian': lambda: walk('>i2', (300, 70)),
    'fortran': lambda: numpy.asfortranarray(walk('i4', (60, 50, 7))),
    'not contiguous': lambda: walk('f8', (200, 300))[::3, ::-2],
    'transposed': lambda: walk('u2', (20, 30, 40)).transpose(1, 0, 2),
    'no axes': lambda: numpy.array(3.5),
    'no numbers': lambda: numpy.zeros((0, 5), 'i8'),
    'no bytes': lambda: numpy.zeros(7, 'S0'),
    'times': lambda: numpy.arange(5000).astype('M8[ms]').reshape(50, 100),
    'complex': lambda: walk('f4', (5000, 2)).view('c8')[:, 0],
    'bool': lambda: walk('i4', (5000,)) > 0,
    'texts': lambda: numpy.array(['a', 'bcd', 'äöü'] * 100),
    'records': lambda: records(3000),
    'aligned records': lambda: numpy.ones(100, numpy.dtype([('a', 'u1'), ('b', 'f8')], align=True)),
    'names that are not latin': lambda: numpy.ones(100, [('высота', 'f4'), ('δ', 'i2', (2, 3))]),
    'half floats': lambda: walk('f2', (900,)),
}


@pytest.fixture
def path(tmp_path):
    return tmp_path / 'array.npy.tdz'


def same(one, other):
    assert type(one) is type(other) is numpy.ndarray
    assert one.dtype == other.dtype and one.shape == other.shape
    assert one.tobytes() == other.tobytes()


def tdz_bytes(array, **options):
    file = io.BytesIO()
    tdz.save(file, array, **options)
    return file.getvalue()


@pytest.fixture(params=list(ARRAYS))
def array(request):
    return ARRAYS[request.param]()


@pytest.mark.filterwarnings('ignore:Stored array in format 3.0')
def test_comes_back(path, array):
    tdz.save(path, array)
    restored = tdz.load(path)
    same(restored, numpy.asarray(array))
    assert restored.flags.f_contiguous == numpy.load(tdz.open(path)).flags.f_contiguous
    assert restored.flags.writeable
    assert os.listdir(path.parent) == [path.name]
    lazy = tdz.load(path, lazy=True)
    assert (lazy.shape, lazy.dtype, lazy.ndim, lazy.size) == (array.shape, array.dtype, array.ndim, array.size)
    assert lazy.nbytes == array.nbytes and str(array.shape) in repr(lazy)
    same(numpy.asarray(lazy), numpy.asarray(array))


@pytest.mark.filterwarnings('ignore:Stored array in format 3.0')
def test_it_is_a_npy_file(path, array):
    tdz.save(path, array)
    plain = io.BytesIO()
    numpy.save(plain, array)
    assert tdz.open(path).read() == plain.getvalue()
    with tdz.open(path, 'wb') as file:
        numpy.save(file, array)
    same(tdz.load(path), numpy.asarray(array))


def test_the_program_gives_the_npy_file(path, root):
    program = root / os.environ.get('TDZ_BUILD', 'build/release') / 'app' / 'tdz'
    if not program.exists():
        pytest.skip('the program is not built')
    numbers = walk('f4', (300, 200))
    tdz.save(path, numbers)
    subprocess.run([program, '-d', path], check=True)
    same(numpy.load(path.with_suffix('')), numbers)


def test_the_type_is_found(path):
    for dtype, kind in ('f4', 'f32'), ('>i2', 'i16'), ('u8', 'u64'):
        tdz.save(path, walk(dtype, (30000,)))
        assert tdz.info(path)['streams'][0]['type'].startswith(kind)


def test_options(path):
    numbers = walk('i4', (300000,))
    sizes = []
    for options in {'effort': 'fastest'}, {'effort': 'fast'}, {}, {'level': 19, 'threads': 1}:
        tdz.save(path, numbers, **options)
        same(tdz.load(path, threads=1), numbers)
        sizes.append(path.stat().st_size)
    assert len(set(sizes)) == 4
    with pytest.raises(ValueError, match='level'):
        tdz.save(path, numbers, level=40)
    tdz.save(path, numbers, chunk=65536)
    assert tdz.info(path)['streams'][0]['chunks'] >= 18
    for wrong in 65535, (1 << 30) + 1, -1, 0, 1 << 80:
        with pytest.raises(ValueError, match='chunk'):
            tdz.save(path, numbers, chunk=wrong)


def test_lists_and_file_objects():
    file = io.BytesIO()
    tdz.save(file, [[1, 2], [3, 4]])
    same(tdz.load(file.getvalue()), numpy.array([[1, 2], [3, 4]]))
    file.seek(0)
    same(tdz.load(file), numpy.array([[1, 2], [3, 4]]))
    assert file.tell() == 0


def test_pipes():
    numbers = numpy.asfortranarray(walk('i4', (300, 40)))
    stored = tdz_bytes(numbers)
    for count in len(stored), len(stored) - 400:
        reading, writing = os.pipe()
        thread = threading.Thread(target=lambda: (os.write(writing, stored[:count]), os.close(writing)))
        thread.start()
        with open(reading, 'rb') as pipe:
            if count == len(stored):
                same(tdz.load(pipe), numbers)
            else:
                with pytest.raises(tdz.TruncatedError):
                    tdz.load(pipe)
        thread.join()
    with pytest.raises(io.UnsupportedOperation):
        with open(os.pipe()[0], 'rb') as pipe:
            tdz.load(pipe, lazy=True)


def test_whole_or_not_at_all(path):
    tdz.save(path, walk())
    before = path.read_bytes()

    for wrong in numpy.array([1, 'a', None], object), Strange():
        with pytest.raises(TypeError):
            tdz.save(path, wrong)
    assert path.read_bytes() == before and os.listdir(path.parent) == [path.name]


class Strange:
    def __array__(self, *_, **__):
        raise TypeError('no array')


def test_what_is_not_saved(path):
    for wrong in (numpy.array([None, 1]), numpy.zeros(3, [('a', 'O'), ('b', 'f4')]),
                  numpy.zeros(2, [('a', [('b', 'O', (2,))])])):
        with pytest.raises(TypeError, match='pickle'):
            tdz.save(path, wrong)
    with pytest.raises(TypeError, match='mask'):
        tdz.save(path, numpy.ma.masked_equal([1, 2, 3], 2))
    if hasattr(numpy.dtypes, 'StringDType'):
        with pytest.raises(TypeError, match='pickle'):
            tdz.save(path, numpy.array(['a', 'long text'], numpy.dtypes.StringDType()))
    with pytest.raises(TypeError, match='names of the fields'):
        tdz.save(path, numpy.zeros(2, [(f'{i:09}', 'u1') for i in range(5000)]))
    assert os.listdir(path.parent) == []


def test_what_npy_has_no_name_for(path):
    ml_dtypes = pytest.importorskip('ml_dtypes')
    numbers = walk('f4', (100,)).astype(ml_dtypes.bfloat16)
    with pytest.raises(TypeError, match='bfloat16'):
        tdz.save(path, numbers)
    tdz.save(path, numbers.view('u2'))
    assert (tdz.load(path).view(ml_dtypes.bfloat16) == numbers).all()


# ---- Parts

def random_key(rng, shape):
    def one(length):
        kind = rng.randrange(4)
        if kind == 0 and length:
            return rng.randrange(-length, length)
        if kind == 1:
            return numpy.int16(rng.randrange(length)) if length else slice(None)
        limits = [None, *range(-length - 2, length + 3)]
        return slice(rng.choice(limits), rng.choice(limits), rng.choice([None, 1, 2, 3, -1, -2, 50, -70]))

    key = [one(length) for length in shape[:rng.randrange(len(shape) + 1)]]
    if rng.random() < 0.5:
        key.insert(rng.randrange(len(key) + 1), Ellipsis)
    if rng.random() < 0.3:
        key.insert(rng.randrange(len(key) + 1), None)
    return key[0] if len(key) == 1 and rng.random() < 0.5 else tuple(key)


@pytest.mark.parametrize('order', 'CF')
@pytest.mark.parametrize('gap, piece', [(0, 1), (40, 300), (1 << 20, 16 << 20)])
def test_indexing_is_that_of_numpy(monkeypatch, order, gap, piece):
    import tdz._npy

    monkeypatch.setattr(tdz._npy, '_GAP', gap)
    monkeypatch.setattr(tdz._npy, '_PIECE', piece)
    numbers = numpy.asarray(walk('i2', (7, 11, 13)), order=order)
    rng = random.Random(3)
    with tdz.load(tdz_bytes(numbers), lazy=True) as lazy:
        for _ in range(1000):
            key = random_key(rng, numbers.shape)
            wanted, got = numbers[key], lazy[key]
            assert type(got) is type(wanted) and got.shape == wanted.shape and got.dtype == wanted.dtype, key
            assert (got == wanted).all(), key


def test_wrong_indices():
    numbers = walk('i4', (5, 6))
    lazy = tdz.load(tdz_bytes(numbers), lazy=True)
    for wrong in 5, -6, (0, 6), (0, 0, 0), (..., ...):
        for array in numbers, lazy:
            with pytest.raises(IndexError):
                array[wrong]
    for wrong in [0, 1], True, numpy.array([1]), numpy.ones(5, bool), 1.0, 'a', (0, [1, 2]), numpy.True_:
        with pytest.raises(TypeError, match='numpy.asarray'):
            lazy[wrong]
    assert len(lazy) == 5 and [row.sum() for row in lazy] == [row.sum() for row in numbers]
    with pytest.raises(ValueError, match='copy'):
        lazy.__array__(copy=False)
    assert numpy.asarray(lazy, 'f8').dtype == 'f8'
    lazy.close()
    lazy.close()
    with pytest.raises(ValueError, match='closed'):
        lazy[0]


class Counting(io.BytesIO):
    taken = 0

    def read(self, count=-1):
        piece = super().read(count)
        self.taken += len(piece)
        return piece


@pytest.mark.parametrize('order, key', [('C', 5), ('C', slice(4, 5)), ('C', (slice(None, None, 7), 3)), ('F', (..., 7))])
def test_only_the_chunks_that_are_needed(order, key):
    noise = numpy.random.default_rng(4).integers(0, 1 << 16, (20, 1000, 600), 'u2')
    numbers = numpy.asarray(noise, order=order)
    file = Counting(tdz_bytes(numbers, chunk=1 << 17))
    lazy = tdz.load(file, lazy=True)
    file.taken = 0
    assert (lazy[key] == numbers[key]).all()
    assert file.taken < len(file.getvalue()) * 0.08


def test_threads_share_it():
    numbers = walk('i4', (400, 3000))
    lazy, wrong = tdz.load(tdz_bytes(numbers), lazy=True), []

    def look(seed):
        rng = random.Random(seed)
        for _ in range(30):
            row = rng.randrange(400)
            if (lazy[row] != numbers[row]).any():
                wrong.append(row)

    in_threads(6, look)
    assert wrong == []


def test_a_forgotten_array_closes_its_file(path):
    tdz.save(path, walk())
    with warnings.catch_warnings():
        warnings.simplefilter('error')
        before = len(os.listdir('/proc/self/fd'))
        lazy = tdz.load(path, lazy=True)
        assert len(os.listdir('/proc/self/fd')) == before + 1
        del lazy
        assert len(os.listdir('/proc/self/fd')) == before


# ---- Files that lie

def npy(text, data=b'', version=(1, 0)):
    text = text if isinstance(text, bytes) else text.encode('utf-8')
    length = struct.pack('<H' if version[0] == 1 else '<I', len(text))
    return tdz.compress(b'\x93NUMPY' + bytes(version) + length + text + data)


GOOD = "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }"


def loads(stored):
    """Both ways to load raise the same, or give the same."""
    results = []
    for lazy in False, True:
        try:
            results.append(numpy.asarray(tdz.load(stored, lazy=lazy)))
        except Exception as error:
            results.append(error)
    assert type(results[0]) is type(results[1])
    if isinstance(results[0], Exception):
        raise results[0]
    return results[0]


def test_headers_of_others():
    wanted = numpy.arange(6, dtype='<i2').reshape(2, 3)
    for version in (1, 0), (2, 0), (3, 0):
        assert (loads(npy(GOOD + '   \n', wanted.tobytes(), version)) == wanted).all()
    assert (loads(npy(GOOD.replace('(2, 3)', '(2L, 3L)'), wanted.tobytes())) == wanted).all()


@pytest.mark.parametrize('old, new', [
    ("'<i2'", "'<i0'"), ("'<i2'", "'(2,3)i2'"), ("'<i2'", '7'), ("'<i2'", "[('a', '<i2', -1)]"), ("'<i2'", "'V3000000000'"),
    ("'<i2'", "[('a',)]"), ("'<i2'", "('i2', ('x',))"), ("'<i2'", "[('a', 'i1'), ('a', 'i1')]"), ("'<i2'", "__import__('os')"),
    ('False', '0'), ('False', 'None'), ('(2, 3)', '6'), ('(2, 3)', '[2, 3]'), ('(2, 3)', '(-2, -3)'), ('(2, 3)', '(2.0, 3)'),
    ('(2, 3)', '(True, 6)'), ('(2, 3)', f'({1 << 40}, {1 << 40})'), ('(2, 3)', f'({1 << 70}, 0)'), ('(2, 3)', '(1,' * 3 + '))'),
    ('(2, 3)', '(6,' + '1,' * 100 + ')'), (', }', ", 'more': 1}"), ("'shape'", "'size'"), ('{', ''), ('{', '{{'),
    ('(2, 3)', '(' * 5000 + ')' * 5000), ('(2, 3)', '-' * 30000 + '1'), ('(2, 3)', '1' + '+1j' * 10000), ('(2, 3)', '9' * 5000),
    ("'<i2'", "'\x00'"), ("'<i2'", '[' * 150 + ']' * 150),
])
def test_wrong_headers(old, new):
    assert old in GOOD
    with pytest.raises(tdz.CorruptError, match='header of the .npy'):
        loads(npy(GOOD.replace(old, new), bytes(12)))


def test_headers_that_are_no_text():
    for version in (1, 0), (3, 0):
        with pytest.raises(tdz.CorruptError):
            loads(npy(b'\xff\xfe' * 20, version=version))


def test_sizes_that_are_wrong():
    good = npy(GOOD, bytes(12))
    assert loads(good).shape == (2, 3)
    for count in 0, 11:
        with pytest.raises(tdz.TruncatedError, match='speaks of'):
            loads(npy(GOOD, bytes(count)))
    with pytest.raises(tdz.CorruptError, match='1 bytes follow'):
        loads(npy(GOOD, bytes(13)))
    with pytest.raises(tdz.TruncatedError, match='speaks of'):
        loads(npy(GOOD.replace('(2, 3)', f'({1 << 50},)'), bytes(12)))
    whole = tdz.decompress(good)
    for count in range(1, len(whole) - 12):
        with pytest.raises(tdz.TruncatedError):
            loads(tdz.compress(whole[:count]))
    with pytest.raises(tdz.LimitError, match='65536'):
        loads(npy(GOOD + ' ' * 70000, bytes(12), (2, 0)))
    with pytest.raises(tdz.UnsupportedError, match='4.0'):
        loads(npy(GOOD, bytes(12), (4, 0)))
    for other in b'', b'no .npy at all', walk().tobytes():
        with pytest.raises(ValueError, match='no .npy'):
            loads(tdz.compress(other))
    with pytest.raises(tdz.CorruptError):
        loads(b'\x93NUMPY nothing compressed')


def test_pickle_is_never_read():
    class Bomb:
        def __reduce__(self):
            return os.abort, ()

    file = io.BytesIO()
    with tdz.open(file, 'wb') as target:
        numpy.save(target, numpy.array([Bomb()], object), allow_pickle=True)
    with pytest.raises(TypeError, match='pickle'):
        loads(file.getvalue())
    with pytest.raises(TypeError, match='pickle'):
        loads(npy(GOOD.replace("'<i2'", "[('a', '|O')]"), pickle.dumps(1)))


def test_changed_bytes_are_an_error_or_change_nothing():
    numbers = walk('i2', (40, 30))
    file = bytearray(tdz_bytes(numbers))
    rng = random.Random(5)
    for _ in range(300):
        hurt = bytearray(file)
        hurt[rng.randrange(len(hurt))] ^= 1 << rng.randrange(8)
        try:
            restored = tdz.load(hurt)
        except tdz.Error:
            continue
        same(restored, numbers)


def test_limits():
    stored = tdz_bytes(numpy.zeros((1000, 1000), 'u1'))
    for lazy in False, True:
        with pytest.raises(tdz.LimitError):
            tdz.load(stored, max_output=1000000, lazy=lazy)
        assert tdz.load(stored, max_output=1001000, lazy=lazy).shape == (1000, 1000)


def test_more_than_the_free_memory(monkeypatch):
    stored = tdz_bytes(numpy.zeros(100000000, 'u1'))
    monkeypatch.setattr(tdz._core, 'available_memory', lambda: 80000000)
    with pytest.raises(tdz.LimitError, match='max_output'):
        tdz.load(stored)
    lazy = tdz.load(stored, lazy=True)
    with pytest.raises(tdz.LimitError, match='max_output'):
        numpy.asarray(lazy)
    assert lazy[:10].sum() == 0
    assert len(tdz.load(stored, max_output=200000000)) == 100000000


def test_without_numpy_the_rest_works(path):
    code = 'import sys; sys.modules["numpy"] = None; import tdz; tdz.decompress(tdz.compress(bytes(100)))'
    subprocess.run([sys.executable, '-c', code], check=True)
