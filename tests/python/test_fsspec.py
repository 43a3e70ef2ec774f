# SPDX-License-Identifier: Apache-2.0
"""The compression "tdz" of fsspec, and what pandas and Dask read and write through it."""

import importlib
import io
import subprocess
import sys

import numpy
import pytest

import tdz
from conftest import records, walk

fsspec = pytest.importorskip('fsspec')
import tdz.fsspec  # noqa: E402


@pytest.fixture(params=['memory://', ''])
def place(request, tmp_path):
    yield request.param + str(tmp_path / 'numbers.bin.tdz')
    if request.param:
        fsspec.filesystem('memory').store.clear()


def write(place, data, mode='wb', **options):
    with fsspec.open(place, mode, compression='tdz', **options) as file:
        file.write(data)


def test_round_trip(place):
    numbers = walk('f4', (300000,))
    write(place, numbers)
    for compression in 'tdz', 'infer':
        with fsspec.open(place, 'rb', compression=compression) as file:
            assert file.read() == numbers.tobytes()
            file.seek(400)
            assert file.read(40) == numbers[100:110].tobytes()
    with fsspec.open(place, 'rb') as stored:
        assert tdz.decompress(stored.read()) == numbers.tobytes()
        stored.seek(0)
        assert tdz.info(stored)['streams'][0]['type'].startswith('f32')


def test_text(place):
    write(place, 'eins\nzwei\näöü\n', 'wt', encoding='utf-8')
    with fsspec.open(place, 'rt', compression='infer', encoding='utf-8') as file:
        assert list(file) == ['eins\n', 'zwei\n', 'äöü\n']


def test_append(tmp_path):
    place = str(tmp_path / 'numbers.tdz')
    write(place, b'one')
    write(place, b'two', 'ab')
    with fsspec.open(place, compression='infer') as file:
        assert file.read() == b'onetwo'


def test_damage_is_an_error(place):
    write(place, walk())
    with fsspec.open(place, 'rb') as file:
        stored = file.read()
    with fsspec.open(place, 'wb') as file:
        file.write(stored[:-30])
    with pytest.raises(tdz.Error):
        with fsspec.open(place, compression='infer') as file:
            file.read()


def test_registered_once_or_often():
    importlib.reload(tdz.fsspec)
    tdz.fsspec.register()
    assert 'tdz' in fsspec.available_compressions()
    with pytest.raises(ValueError, match='r\\+'):
        tdz.fsspec.open_compressed(io.BytesIO(), 'r+b')


def test_a_process_imports_it_itself(tmp_path):
    write(str(tmp_path / 'a.tdz'), b'abc')
    code = 'import sys, fsspec{}; print(fsspec.open(sys.argv[1], compression="tdz").open().read())'
    for more, good in ('', False), (', tdz.fsspec', True):
        result = subprocess.run([sys.executable, '-c', code.format(more), tmp_path / 'a.tdz'], capture_output=True, text=True)
        assert (result.returncode == 0) is good and ("b'abc'" in result.stdout) is good


def test_pandas(tmp_path):
    pandas = pytest.importorskip('pandas')
    place = str(tmp_path / 'table.csv.tdz')
    table = pandas.DataFrame({'time': numpy.arange(5000), 'level': walk('i8', (5000,))})
    with fsspec.open(place, 'wt', compression='infer') as file:
        table.to_csv(file, index=False)
    with fsspec.open(place, 'rt', compression='infer') as file:
        assert pandas.read_csv(file).equals(table)


def test_pandas_as_records(tmp_path):
    pandas = pytest.importorskip('pandas')
    place = tmp_path / 'table.npy.tdz'
    rows = records(5000)
    table = pandas.DataFrame({name: rows[name] for name in ('time', 'state', 'flow')})
    tdz.save(place, table.to_records(index=False))
    assert pandas.DataFrame(tdz.load(place)).equals(table)
    assert len(tdz.info(place)['streams'][0]['plans'][-1]['columns']) == 3


def test_dask(tmp_path):
    bag = pytest.importorskip('dask.bag')
    for name in 'ab':
        write(str(tmp_path / f'{name}.txt.tdz'), f'{name}1\n{name}2\n', 'wt')
    lines = bag.read_text(str(tmp_path / '*.txt.tdz'), compression='infer').compute(scheduler='threads')
    assert lines == ['a1\n', 'a2\n', 'b1\n', 'b2\n']


def test_dask_arrays_of_a_file(tmp_path):
    array = pytest.importorskip('dask.array')
    numbers = walk('i4', (600, 500))
    tdz.save(tmp_path / 'n.npy.tdz', numbers, chunk=65536)
    with tdz.load(tmp_path / 'n.npy.tdz', lazy=True) as stored:
        lazy = array.from_array(stored, chunks=(50, 250))
        assert lazy.sum().compute(scheduler='threads') == numbers.sum()
        assert (lazy[123:321, ::3].compute(scheduler='threads') == numbers[123:321, ::3]).all()
