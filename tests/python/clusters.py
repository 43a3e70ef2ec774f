# SPDX-License-Identifier: Apache-2.0
"""Sharded arrays, written by Dask workers in processes. For test_dask.py and test_dask_slow.py."""
import contextlib
import hashlib

import dask.array
import numpy
import zarr
from distributed import Client, LocalCluster

import tdz.dask
import tdz.zarr


@contextlib.contextmanager
def cluster(workers):
    with LocalCluster(n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None, memory_limit=0) as made:
        with Client(made) as client:
            yield client


def numbers(rows, columns):
    """A smooth grid, the same on every worker: each block computes its own part."""
    def part(block_info=None):
        (top, bottom), (left, right) = block_info[None]["array-location"]
        y, x = numpy.mgrid[top:bottom, left:right]
        return (10000 * numpy.sin(x / 300) * numpy.cos(y / 200) + (x * 7919 + y * 104729) % 13).astype("i4")
    return part


def grid(shape, chunks):
    blocks = dask.array.core.normalize_chunks(chunks, shape)
    return dask.array.map_blocks(numbers(*shape), chunks=blocks, dtype="i4", meta=numpy.empty((0, 0), "i4"))


def empty_array(store, shape, chunks, shards, **options):
    return zarr.create_array(store, shape=shape, chunks=chunks, shards=shards, dtype="i4", compressors=[tdz.zarr.Tdz(order=2, rows=True)],
                             overwrite=True, **options)


def write(store, shape, chunks, shards, **options):
    array = empty_array(store, shape, chunks, shards, **options)
    tdz.dask.store(grid(shape, array.shards), array)
    return array


def digests(folder):
    """{name: digest} of every file of an array, except what a worker had begun when it was killed."""
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(folder.rglob("*")) if path.is_file() and path.suffix != ".partial"}
