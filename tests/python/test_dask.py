# SPDX-License-Identifier: Apache-2.0
"""Dask over sharded Zarr arrays with tdz. test_dask_slow.py has the larger clusters."""
import numpy
import pytest

zarr = pytest.importorskip("zarr", "3.1")
pytest.importorskip("distributed")
import dask.array  # noqa: E402
from clusters import cluster, digests, empty_array, grid, write  # noqa: E402

import tdz.dask  # noqa: E402

SHAPE, CHUNKS, SHARDS = (700, 900), (100, 100), (200, 300)


def test_two_processes_write_the_bytes_of_one(tmp_path):
    write(tmp_path / "alone", SHAPE, CHUNKS, SHARDS)  # threads of this process
    with cluster(2):
        array = write(tmp_path / "two", SHAPE, CHUNKS, SHARDS)
        total = dask.array.from_array(array, chunks=array.shards).sum().compute()
    assert digests(tmp_path / "two") == digests(tmp_path / "alone")
    assert len(digests(tmp_path / "two")) == 4 * 3 + 1
    assert total == grid(SHAPE, SHARDS).sum().compute(scheduler="sync")
    assert numpy.array_equal(array[...], grid(SHAPE, SHARDS).compute(scheduler="sync"))


def test_blocks_that_cut_a_shard_are_refused():
    """dask.array.store accepts them, and loses numbers."""
    array = empty_array({}, (1 << 20,), (1 << 14,), (1 << 20,))
    halves = dask.array.ones(1 << 20, chunks=1 << 19, dtype="i4")
    with pytest.raises(ValueError, match=r"ends at 524288 of axis 0, inside a shard of 1048576.*rechunk\(\(1048576,\)\)"):
        tdz.dask.store(halves, array)
    assert array.nchunks_initialized == 0
    tdz.dask.store(halves.rechunk(array.shards), array)
    assert (array[...] == 1).all()


def test_without_shards_the_chunks_count():
    array = zarr.create_array({}, shape=(100, 50), chunks=(10, 50), dtype="i4")
    tdz.dask.store(dask.array.ones((100, 50), chunks=((20, 50, 30), 50), dtype="i4"), array)
    with pytest.raises(ValueError, match="inside a chunk of 10"):
        tdz.dask.store(dask.array.ones((100, 50), chunks=(25, 50), dtype="i4"), array)
    with pytest.raises(ValueError, match="inside a chunk of 50"):
        tdz.dask.store(dask.array.ones((100, 50), chunks=(100, 25), dtype="i4"), array)


def test_shapes_must_agree():
    with pytest.raises(ValueError, match="shapes differ"):
        tdz.dask.store(dask.array.ones(99), zarr.create_array({}, shape=100, dtype="f8"))


def test_blocks_of_several_shards_and_a_short_end_are_accepted():
    array = empty_array({}, (1000, 100), (50, 50), (100, 100))
    tdz.dask.check_blocks(dask.array.ones((1000, 100), chunks=(300, 100)), array)
    array = empty_array({}, (1010, 130), (50, 50), (100, 100))
    tdz.dask.check_blocks(dask.array.ones((1010, 130), chunks=(300, 100)), array)
