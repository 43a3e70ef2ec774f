# SPDX-License-Identifier: Apache-2.0
"""Filters of HDF5 on one file of numbers: ratio, and MB/s of writing and reading with one thread.

    hdf5_bench.py FILE TYPE [--rounds N] [--folder /dev/shm]

Needs h5py, hdf5plugin and tdz. A data set of one dimension, chunks of 1 MiB. Speeds are of the processor time of this
process, the best of all rounds: on a machine that does nothing else the wall clock says the same. Prints lines of a
table in Markdown.
"""

import argparse
import os
import pathlib
import time

os.environ.setdefault('BLOSC_NTHREADS', '1')
import h5py  # noqa: E402
import hdf5plugin  # noqa: E402
import numpy  # noqa: E402

import tdz  # noqa: E402
import tdz.hdf5  # noqa: E402


def candidates(data):
    yield 'gzip 4, shuffle', {'compression': 'gzip', 'compression_opts': 4, 'shuffle': True}
    yield 'zstd 3, shuffle', {'shuffle': True, **hdf5plugin.Zstd(clevel=3)}
    yield 'blosc2 zstd 5, shuffle', dict(hdf5plugin.Blosc2(cname='zstd', clevel=5, filters=hdf5plugin.Blosc2.SHUFFLE))
    yield 'blosc2 lz4, bitshuffle', dict(hdf5plugin.Blosc2(cname='lz4', clevel=5, filters=hdf5plugin.Blosc2.BITSHUFFLE))
    yield 'tdz, decided by the filter', dict(tdz.hdf5.options())
    plan = tdz.plan(data)
    yield 'tdz, planned', dict(tdz.hdf5.options(plan))
    yield 'tdz, fastest', dict(tdz.hdf5.options(tdz.plan(data, effort='fastest')))
    yield 'tdz, planned, level 1', dict(tdz.hdf5.options(plan.with_level(1)))


def timed(work):
    begin = time.process_time()
    work()
    return time.process_time() - begin


def write(path, data, options):
    with h5py.File(path, 'w') as file:
        file.create_dataset('data', data=data, chunks=(min(len(data), (1 << 20) // data.itemsize),), **options)


def measure(path, data, options, rounds):
    out = numpy.empty_like(data)

    def read():
        with h5py.File(path) as file:
            file['data'].read_direct(out)

    writing = min(timed(lambda: write(path, data, options)) for _ in range(rounds))
    reading = min(timed(read) for _ in range(rounds))
    assert (out.view('u1') == data.view('u1')).all()
    with h5py.File(path) as file:
        stored = file['data'].id.get_storage_size()
    return data.nbytes / stored, data.nbytes / writing / 1e6, data.nbytes / reading / 1e6


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('file', type=pathlib.Path)
    parser.add_argument('type', help="numpy's, such as <i2")
    parser.add_argument('--rounds', type=int, default=9)
    parser.add_argument('--folder', type=pathlib.Path, default=pathlib.Path('/dev/shm'))
    said = parser.parse_args()
    data = numpy.fromfile(said.file, said.type)
    path = said.folder / f'bench-{os.getpid()}.h5'
    print('| filter | ratio | write MB/s | read MB/s |\n|---|---|---|---|')
    for name, options in candidates(data):
        ratio, writing, reading = measure(path, data, options, said.rounds)
        print(f'| {name} | {ratio:.3f} | {writing:.0f} | {reading:.0f} |', flush=True)
    path.unlink()


if __name__ == '__main__':
    main()
