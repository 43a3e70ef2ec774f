# SPDX-License-Identifier: Apache-2.0
"""The HDF5 filter: what it decides, round trips through h5py and netCDF4, other programs, damage."""

import json
import os
import shutil
import subprocess
import sys

import numpy
import pytest

import tdz
from conftest import records, walk

h5py = pytest.importorskip('h5py')
import tdz.hdf5  # noqa: E402


def write(path, data, chunks, **options):
    with h5py.File(path, 'w') as file:
        file.create_dataset('data', data=data, chunks=chunks, **(options or tdz.hdf5.options()))


def read(path):
    with h5py.File(path) as file:
        return file['data'][...]


def values(path, name='data'):
    with h5py.File(path) as file:
        return file[name].id.get_create_plist().get_filter_by_id(tdz.hdf5.FILTER_ID)[1]


@pytest.fixture
def path(tmp_path):
    return tmp_path / 'file.h5'


CASES = {  # data, chunk, what the filter decides behind its version: word, tuple, order, layout, row, level, flags
    'heights': (walk('i2', (200, 300)), (100, 300), (2, 1, 1, 0, 300, 3, 0)),
    'list': (walk('f8'), (10000,), (8, 1, 1, 0, 0, 3, 8)),
    'points': (walk('f4', (9000, 3)), (1000, 3), (4, 3, 1, 0, 0, 3, 8)),
    'picture': (walk('u1', (64, 80, 3)), (32, 80, 3), (1, 3, 1, 0, 240, 3, 0)),
    'big-endian': (walk('>i4', (64, 80)), (32, 80), (4, 1, 1, 0, 80, 3, 1)),
    'complex': (walk('c8', (5000,)), (500,), (4, 2, 1, 0, 0, 3, 8)),
    'half': (walk('f2', (5000,)), (500,), (2, 1, 1, 0, 0, 3, 8)),
    'truth': (walk('i2') > 0, (10000,), (1, 1, 1, 0, 0, 3, 8)),
    'text': (numpy.array([b'line %d' % i for i in range(3000)]), (1000,), (1, 9, 0, 0, 0, 3, 14)),
}


@pytest.mark.parametrize('case', CASES)
def test_decides(path, case):
    data, chunks, expected = CASES[case]
    write(path, data, chunks)
    chunk_bytes = data.itemsize * int(numpy.prod(chunks))
    assert values(path) == (1, *expected, chunk_bytes)
    again = read(path)
    assert again.dtype == data.dtype and again.tobytes() == data.tobytes()
    assert path.stat().st_size < data.nbytes


def test_compound(path):
    data = records(4000)
    write(path, data, (1000,))
    assert (read(path) == data).all()
    assert len(values(path)) > 9
    assert path.stat().st_size < data.nbytes / 2


def test_times_in_a_record(path):
    """HDF5 has no type for times: h5py stores them as opaque bytes."""
    kind = numpy.dtype([('time', h5py.opaque_dtype(numpy.dtype('M8[ms]'))), ('x', '<f4'), ('name', 'S27')])
    data = numpy.zeros(3000, kind)
    data['time'] = (numpy.arange(3000) * 1000).astype('M8[ms]')
    for options in tdz.hdf5.options(), tdz.hdf5.options(tdz.plan(data)):
        write(path, data, (1000,), **options)
        assert read(path).tobytes() == data.tobytes()
        assert path.stat().st_size < data.nbytes / 2


def test_numbers_of_ml_dtypes(path):
    """As far as this h5py knows them."""
    ml_dtypes = pytest.importorskip('ml_dtypes')
    for kind in ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2, ml_dtypes.int4:
        data = walk('f4', (9000,)).astype(kind)
        for options in tdz.hdf5.options(), tdz.hdf5.options(tdz.plan(data)):
            try:
                write(path, data, (3000,), **options)
            except TypeError:  # h5py has no type of HDF5 for it
                continue
            assert read(path).tobytes() == data.tobytes()
            assert values(path)[0] == 1


def test_columns_in_a_row_of_gaps(path):
    kind = numpy.dtype([('a', 'u1'), ('t', '<u8'), ('x', '<f4', (2, 2))], align=True)
    data = numpy.zeros(3000, kind)
    data['t'] = numpy.arange(3000) * 7
    write(path, data, (500,))
    again = read(path)
    assert all((again[name] == data[name]).all() for name in kind.names)


def test_plan(path, plan):
    data = walk('i4')
    write(path, data, (10000,), **tdz.hdf5.options(plan))
    assert (read(path) == data).all()
    if plan.record_bytes == 4:  # it fits the numbers
        assert path.stat().st_size < data.nbytes / 2


@pytest.mark.parametrize('case', CASES)
def test_packed(path, case):
    data, chunks, expected = CASES[case]
    write(path, data, chunks, **tdz.hdf5.options(layout='packed'))
    assert values(path)[:8] == (1, *expected[:3], 5, *expected[4:])
    assert read(path).tobytes() == data.tobytes()
    with h5py.File(path) as file:
        block = file['data'].id.read_direct_chunk((0,) * data.ndim)[1]
    column = json.loads(tdz.block_plan(block).to_json())['columns'][0]
    assert column['layout'] in ({'layout': 'packed', 'tuple': expected[1]}, {'layout': 'interleaved'})
    assert case == 'text' or column['layout']['layout'] == 'packed'


def test_packed_columns(path):
    data = records(4000)
    for options in tdz.hdf5.options(layout='packed'), tdz.hdf5.options(tdz.plan(data, effort='fastest')):
        write(path, data, (1000,), **options)
        assert read(path).tobytes() == data.tobytes()
        with h5py.File(path) as file:
            block = file['data'].id.read_direct_chunk((0,))[1]
        assert 'packed' in str(tdz.block_plan(block).to_json())
        assert path.stat().st_size < data.nbytes


def test_given_values_stay(path):
    given = tdz.hdf5.options(word=4, tuple=5, order=2, layout='bit-planes', row=50, level=9)
    write(path, walk('i4', (100, 50)), (100, 50), **given)
    assert values(path)[:8] == given['compression_opts'] == (1, 4, 5, 2, 4, 50, 9, 0)
    write(path, walk('i4', (100, 50)), (100, 50), **tdz.hdf5.options(order=0, row=0))
    assert values(path)[:8] == (1, 4, 1, 0, 0, 0, 3, 12)


def test_usage():
    for wrong in {'order': 9}, {'order': -1}, {'level': 0}, {'level': 23}, {'layout': 'rows'}, {'word': 9}:
        with pytest.raises(ValueError):
            tdz.hdf5.options(**wrong)
    with pytest.raises(ValueError):
        tdz.hdf5.options(tdz.plan_for('i32'), level=3)


def test_other_filters_around(path):
    data = numpy.arange(100000)
    write(path, data, (10000,), shuffle=True, fletcher32=True, **tdz.hdf5.options())
    assert (read(path) == data).all()
    assert values(path)[-1] == 80000
    with pytest.raises((OSError, ValueError, RuntimeError)):  # it changes the length of a chunk, so none could be named
        write(path, data, (10000,), scaleoffset=0, **tdz.hdf5.options())


def test_checksum_before(path):
    """It makes a chunk four bytes longer."""
    data = walk('i4', (5000,))
    properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    properties.set_chunk((1000,))
    properties.set_fletcher32()
    properties.set_filter(tdz.hdf5.FILTER_ID, h5py.h5z.FLAG_MANDATORY, (1,))
    with h5py.File(path, 'w') as file:
        space = h5py.h5s.create_simple((5000,))
        h5py.h5d.create(file.id, b'data', h5py.h5t.NATIVE_INT32, space, properties).write(space, space, data)
    assert values(path)[-1] == 4004
    assert (read(path) == data).all()


def test_parts_and_growth(path):
    data = walk('i2', (300, 200))
    with h5py.File(path, 'w') as file:
        file.create_dataset(
            'data', shape=(0, 200), maxshape=(None, 200), dtype='i2', chunks=(64, 200), **tdz.hdf5.options())
        for at in range(0, 300, 50):
            file['data'].resize(at + 50, axis=0)
            file['data'][at : at + 50] = data[at : at + 50]
        file['data'][3:5, 7:9] = 77
    data[3:5, 7:9] = 77
    with h5py.File(path) as file:
        assert (file['data'][...] == data).all()
        assert (file['data'][60:70, ::3] == data[60:70, ::3]).all()


def test_references_and_text_of_any_length(path):
    with h5py.File(path, 'w') as file:
        text = file.create_dataset('t', (100,), h5py.string_dtype(), chunks=(10,), **tdz.hdf5.options())
        lists = file.create_dataset('l', (100,), h5py.vlen_dtype('i4'), chunks=(10,), **tdz.hdf5.options())
        links = file.create_dataset('r', (100,), h5py.ref_dtype, chunks=(10,), **tdz.hdf5.options())
        text[...] = [f'line {i}' for i in range(100)]
        lists[3], links[4] = [1, 2, 3], text.ref
    with h5py.File(path) as file:
        assert file['t'][7] == b'line 7' and list(file['l'][3]) == [1, 2, 3] and file[file['r'][4]].name == '/t'


# ---- Damage


def replaced(path, chunk):
    """The file with another chunk, and what reading it gives."""
    with h5py.File(path, 'r+') as file:
        file['data'].id.write_direct_chunk((0,), chunk)
    return read(path)


def test_damage(path):
    data = walk('i4', (2000,))
    write(path, data, (2000,))
    with h5py.File(path) as file:
        good = file['data'].id.read_direct_chunk((0,))[1]
    for at in range(0, len(good), 7):
        bad = bytearray(good)
        bad[at] ^= 0x11
        try:
            assert (replaced(path, bytes(bad)) == data).all()  # a byte that no reader judges
        except OSError:
            pass
    for cut in 1, 50, 100, len(good) - 1:
        with pytest.raises(OSError):
            replaced(path, good[:cut])
    with pytest.raises(OSError):
        replaced(path, good + b'more')
    assert (replaced(path, good) == data).all()


def test_blocks_of_another_length(path):
    """libhdf5 itself would read behind the end of a short one."""
    plan = tdz.plan_for('i32')
    write(path, walk('i4', (2000,)), (2000,))
    for count in 1, 100, 1999, 2001, 50000000:
        with pytest.raises(OSError):
            replaced(path, tdz.encode_block(numpy.zeros(count, 'i4'), plan))


def without_values(path, kept):
    """Leaves only the first values of the filter in the file. In this old kind of header nothing checks them."""
    named = values(path)
    stored = bytearray(path.read_bytes())
    at = stored.index(b''.join(value.to_bytes(4, 'little') for value in named))
    count = stored.rindex(len(named).to_bytes(2, 'little'), 0, at)  # behind it stands the filter's name
    stored[count : count + 2] = kept.to_bytes(2, 'little')
    path.write_bytes(stored)


@pytest.mark.parametrize('count', [2000, 1999, 1])
@pytest.mark.parametrize('kept', [0, 1, 8])
def test_values_without_the_length_of_a_chunk(path, kept, count):
    """HDF5 would show other memory behind the end of a short block."""
    data = walk('i4', (2000,))
    write(path, data, (2000,))
    with h5py.File(path, 'r+') as file:
        file['data'].id.write_direct_chunk((0,), tdz.encode_block(data[:count], tdz.plan_for('i32')))
    without_values(path, kept)
    assert len(values(path)) == kept
    with pytest.raises(OSError):
        read(path)
    with h5py.File(path) as file:  # what is there can still be had
        block = file['data'].id.read_direct_chunk((0,))[1]
    assert tdz.decode_block(block) == data[:count].tobytes()


# ---- Other programs and libraries


def run(code, *arguments):
    """A process of its own."""
    done = subprocess.run([sys.executable, '-c', code, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


BOTH = """
import sys
order, path = sys.argv[1:]
modules = ['h5py', 'netCDF4', 'tdz.hdf5']
for letter in order: __import__(modules[int(letter)])
import h5py, netCDF4, numpy
data = numpy.arange(60000, dtype='i2').reshape(200, 300)
with netCDF4.Dataset(path, 'w') as file:  # HDF5 of netCDF4
    file.createDimension('y', 200), file.createDimension('x', 300)
    file.createVariable('plain', 'i2', ('y', 'x'))[...] = data
with h5py.File(path, 'r+') as file:  # HDF5 of h5py
    import tdz.hdf5
    made = file.create_dataset('packed', data=data, chunks=(100, 300), **tdz.hdf5.options())
    for axis, name in enumerate(('y', 'x')): made.dims[axis].attach_scale(file[name])
for turn in range(3):
    with netCDF4.Dataset(path) as file: assert (file['packed'][...] == data).all()
    with h5py.File(path) as file: assert (file['packed'][...] == data).all()
with h5py.File(path) as file:
    assert file['packed'].id.get_create_plist().get_filter(0)[2][:8] == (1, 2, 1, 1, 0, 300, 3, 0)
print('good')
"""


@pytest.mark.parametrize('order', ['012', '102', '021', '120', '201', '210'])
def test_two_libraries(path, order):
    pytest.importorskip('netCDF4')
    assert run(BOTH, order, path) == 'good\n'


NC_FILTER = """
import ctypes, sys
import netCDF4, tdz.hdf5, numpy
path = sys.argv[1]
library = ctypes.CDLL([line.split()[-1] for line in open('/proc/self/maps') if '/libnetcdf' in line][0])
data = numpy.cumsum(numpy.ones((200, 300), 'i2'), axis=1, dtype='i2')
with netCDF4.Dataset(path, 'w') as file:
    file.createDimension('y', 200), file.createDimension('x', 300)
    made = file.createVariable('v', 'i2', ('y', 'x'), chunksizes=(100, 300))
    assert library.nc_def_var_filter(file._grpid, made._varid, tdz.hdf5.FILTER_ID, ctypes.c_size_t(0), None) == 0
    made[...] = data
with netCDF4.Dataset(path) as file: assert (file['v'][...] == data).all()
print('good')
"""


def test_written_by_netcdf(path):
    pytest.importorskip('netCDF4')
    assert run(NC_FILTER, path) == 'good\n'
    assert values(path, 'v')[:8] == (1, 2, 1, 1, 0, 300, 3, 0)


def program(name, *arguments):
    if shutil.which(name) is None:
        pytest.skip(f'{name} is not installed')
    environment = {**os.environ, 'HDF5_PLUGIN_PATH': tdz.hdf5.plugin_path()}
    done = subprocess.run([name, *map(str, arguments)], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr[-3000:]


@pytest.fixture
def grid(path):
    data = walk('i2', (200, 300))
    with h5py.File(path, 'w', libver=('earliest', 'v110')) as file:
        file.create_dataset('data', data=data, chunks=(50, 300), **tdz.hdf5.options())
    return data


def test_h5repack(path, tmp_path, grid):
    out, back = tmp_path / 'out.h5', tmp_path / 'back.h5'
    program('h5repack', '-f', 'NONE', path, out)
    assert (read(out) == grid).all()
    program('h5repack', '-f', f'UD={tdz.hdf5.FILTER_ID},0,0', '-l', 'data:CHUNK=100x300', out, back)
    assert (read(back) == grid).all()
    assert values(back) == (1, 2, 1, 1, 0, 300, 3, 0, 60000)


def test_h5repack_to_packed(path, tmp_path, grid):
    out = tmp_path / 'out.h5'
    program('h5repack', '-f', f'UD={tdz.hdf5.FILTER_ID},0,5,1,0,0,0,5', '-l', 'data:CHUNK=100x300', path, out)
    assert (read(out) == grid).all()
    assert values(out) == (1, 2, 1, 1, 5, 300, 3, 0, 60000)


def test_h5repack_to_other_chunks(path, tmp_path, grid):
    """The values come from the old data set; the length of a chunk does not."""
    out = tmp_path / 'out.h5'
    program('h5repack', '-l', 'data:CHUNK=20x30', path, out)
    assert (read(out) == grid).all()
    assert values(out)[-1] == 1200


def test_h5dump(path, grid):
    program('h5dump', path)


def test_nccopy(path, tmp_path, grid):
    out, packed = tmp_path / 'out.nc', tmp_path / 'packed.nc'
    program('nccopy', '-F', 'none', path, out)
    assert (read(out) == grid).all()
    program('nccopy', '-F', f'data,{tdz.hdf5.FILTER_ID}', out, packed)
    assert (read(packed) == grid).all()


def test_all_who_name_the_number_name_this_one(root):
    """The code has it once, in tdz.h; these are read by people, or run without tdz's headers."""
    for name in ['docs/ecosystem.md', 'packaging/registrations/hdf5.md', 'packaging/debian/tests/hdf5-plugin']:
        assert str(tdz.hdf5.FILTER_ID) in (root / name).read_text(), name
    header = (root / 'codec/include/tdz/tdz.h').read_text()
    assert f'#define TDZ_HDF5_FILTER {tdz.hdf5.FILTER_ID}' in header
