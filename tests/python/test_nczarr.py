# SPDX-License-Identifier: Apache-2.0
"""Zarr arrays of version 2 between netCDF-C (the wheel of netCDF4) and zarr, with the codec tdz.

netCDF-C decides once in a process where its plugins are, so each test is a program of its own.
"""

import ctypes
import json
import os
import pathlib
import subprocess
import sys

import numpy
import pytest

import tdz
from conftest import walk

zarr = pytest.importorskip('zarr')
netCDF4 = pytest.importorskip('netCDF4')
import tdz.hdf5  # noqa: E402
import tdz.numcodecs  # noqa: E402

if tuple(map(int, netCDF4.__netcdf4libversion__.split('.')[:2])) not in [(4, 10)]:
    pytest.skip('only netCDF-C 4.10 was tried: 4.9.0 reads other numbers from any compressed Zarr', allow_module_level=True)

ARRAYS = {
    'heights': (walk('<i2', (60, 432)), (30, 200)),  # chunks beyond the edge
    'big': (walk('>i4', (64, 80)), (32, 80)),
    'doubles': (walk('f8', (5000,)), (700,)),
    'bytes': (walk('u1', (64, 80, 3)), (32, 80, 3)),
}
CODECS = {
    'usual': lambda array: tdz.numcodecs.Tdz(),
    'order 2': lambda array: tdz.numcodecs.Tdz(order=2, level=1),
    'fastest': lambda array: tdz.numcodecs.Tdz(effort='fastest'),
    'planned': lambda array: tdz.numcodecs.Tdz(tdz.plan(array)),
}
#: what the program gets: the store, and what it prints
READ = '''
import sys
{imports}
with netCDF4.Dataset(f'file://{{sys.argv[1]}}#mode=zarr,file') as data:
    for name in sorted(data.variables):
        variable = data[name]
        variable.set_auto_maskandscale(False)
        print(name, variable[...].astype(variable.dtype.newbyteorder('<')).tobytes().hex()[-20000:])
'''
#: makes an array with these values of the filter: netCDF4 has no call for a filter by its number
WRITE = '''
import ctypes, json, sys
import tdz.hdf5, netCDF4, numpy
array, values = numpy.load(sys.argv[2]), json.loads(sys.argv[3])
library = next(line.split()[-1] for line in open('/proc/self/maps') if '/libnetcdf' in line)
with netCDF4.Dataset(f'file://{sys.argv[1]}#mode=zarr,file', 'w') as data:
    data.createDimension('y', array.shape[0])
    data.createDimension('x', array.shape[1])
    variable = data.createVariable('a', array.dtype, ('y', 'x'), chunksizes=(30, 200), fill_value=False)
    done = ctypes.PyDLL(library).nc_def_var_filter(data._grpid, variable._varid, tdz.hdf5.FILTER_ID,
        ctypes.c_size_t(len(values)), (ctypes.c_uint * len(values))(*values))
    assert done == 0, done
    variable[...] = array
'''


def run(program, *arguments):
    """Without the variable that importing tdz.hdf5 set in this process."""
    environment = {name: value for name, value in os.environ.items() if name != 'HDF5_PLUGIN_PATH'}
    command = [sys.executable, '-c', program, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, env=environment)


def make(path, codec):
    group = zarr.open_group(path, mode='w', zarr_format=2)
    for name, (array, chunks) in ARRAYS.items():
        made = group.create_array(name, data=array, chunks=chunks, compressors=codec(array))
        made.attrs['_ARRAY_DIMENSIONS'] = [f'{name}{axis}' for axis in range(array.ndim)]


@pytest.mark.parametrize('imports', ['import tdz.hdf5, netCDF4', 'import netCDF4\nimport tdz.hdf5'])
@pytest.mark.parametrize('codec', CODECS)
def test_reads_what_zarr_wrote(tmp_path, codec, imports):
    make(tmp_path / 'a.zarr', CODECS[codec])
    found = run(READ.format(imports=imports), tmp_path / 'a.zarr')
    assert found.returncode == 0, found.stderr
    expected = {name: array.astype(array.dtype.newbyteorder('<')).tobytes().hex()[-20000:] for name, (array, _) in ARRAYS.items()}
    assert dict(line.split() for line in found.stdout.splitlines()) == expected


def test_reads_blocks_of_a_configuration_that_it_does_not_know(tmp_path):
    make(tmp_path / 'a.zarr', CODECS['planned'])
    for name in ARRAYS:
        path = tmp_path / 'a.zarr' / name / '.zarray'
        members = json.loads(path.read_text())
        members['compressor']['version'] = 9
        path.write_text(json.dumps(members))
    found = run(READ.format(imports='import tdz.hdf5, netCDF4'), tmp_path / 'a.zarr')
    assert found.returncode == 0, found.stderr
    assert len(found.stdout.splitlines()) == len(ARRAYS)


VALUES = {
    'decided': [],
    'order 2, level 9': [1, 2, 1, 2, 2, 0, 9, 0],
    'planned': lambda array: tdz.hdf5.options(tdz.plan(array))['compression_opts'],
}


@pytest.mark.parametrize('values', VALUES)
def test_zarr_reads_what_it_wrote(tmp_path, values):
    array = walk('<i2', (60, 432))
    numpy.save(tmp_path / 'a.npy', array)
    said = VALUES[values](array) if callable(VALUES[values]) else VALUES[values]
    done = run(WRITE, tmp_path / 'a.zarr', tmp_path / 'a.npy', json.dumps([int(value) for value in said]))
    assert done.returncode == 0, done.stderr
    assert (zarr.open_group(tmp_path / 'a.zarr', mode='r')['a'][...] == array).all()
    compressor = json.loads((tmp_path / 'a.zarr' / 'a' / '.zarray').read_text())['compressor']
    assert compressor.pop('id') == 'tdz'
    plan = tdz.Plan.from_json(json.dumps(compressor))  # complete, so that zarr writes the same
    chunk = (tmp_path / 'a.zarr' / 'a' / '0.0').read_bytes()
    assert tdz.block_size(chunk) == 30 * 200 * 2
    assert json.loads(tdz.block_plan(chunk).to_json())['columns'] == json.loads(plan.to_json())['columns']
    back = run(READ.format(imports='import tdz.hdf5, netCDF4'), tmp_path / 'a.zarr')
    assert back.stdout.split() == ['a', array.tobytes().hex()[-20000:]], back.stderr


def test_damage_is_an_error(tmp_path):
    make(tmp_path / 'a.zarr', CODECS['usual'])
    path = tmp_path / 'a.zarr' / 'heights' / '1.1'
    block = bytearray(path.read_bytes())
    block[len(block) // 2] ^= 4
    path.write_bytes(block)
    found = run(READ.format(imports='import tdz.hdf5, netCDF4'), tmp_path / 'a.zarr')
    assert found.returncode != 0 and 'Filter error' in found.stderr


def test_without_the_plugin_it_is_an_error(tmp_path):
    make(tmp_path / 'a.zarr', CODECS['usual'])
    found = run(READ.format(imports='import netCDF4'), tmp_path / 'a.zarr')
    assert found.returncode != 0 and 'undefined filter' in found.stderr


def plugin_codec():
    plugin = ctypes.CDLL(str(next(pathlib.Path(tdz.hdf5.plugin_path()).glob('libh5tdz*'))))
    plugin.NCZ_get_codec_info.restype = ctypes.c_void_p
    return plugin, plugin.NCZ_get_codec_info()


def test_another_netcdf_leaves_the_codec_alone():
    """The address of the caller is not of a libnetcdf: as with a version whose calls have other arguments."""
    _, codec = plugin_codec()
    numbers = ctypes.cast(codec, ctypes.POINTER(ctypes.c_uint32))
    assert numbers[0] == 1 and numbers[4] == 0  # the version; and no filter


@pytest.mark.parametrize('text, values', [
    (b'{"id":"tdz"}', [1, 0, 1, 1, 0, 0, 0, 8]),
    (b'{"id":"tdz","order":0,"level":99}', [1, 0, 1, 0, 0, 0, 0, 12]),
    (b'{"id":"tdz","order":-1,"effort":"fastest","level":7}', [1, 0, 1, 1, 5, 0, 7, 8]),
    (b'{"id":"tdz","version":1,"columns":3}', [1] + [0] * 7),
    (b'{"id":"tdz","version":' + b'[' * 200000 + b']' * 200000 + b'}', [1] + [0] * 7),
    (b'[]', None), (b'{"id":', None), (b'{"id":"\xff"}', None), (b'', None),
])
def test_configurations_as_netcdf_gives_them(text, values):
    plugin, codec = plugin_codec()
    function = ctypes.cast(codec + 40, ctypes.POINTER(ctypes.c_void_p))[0]
    to_values = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_void_p)(function)
    count, made = ctypes.c_size_t(), ctypes.POINTER(ctypes.c_uint)()
    done = to_values(text, ctypes.byref(count), ctypes.byref(made))
    assert (done == 0) == (values is not None)
    assert values is None or made[:count.value] == values
