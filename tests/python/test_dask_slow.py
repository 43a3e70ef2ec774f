# SPDX-License-Identifier: Apache-2.0
"""Larger clusters than in test_dask.py, a worker that dies in the middle, and a store of S3's kind (moto's server).

Three minutes, so only where TDZ_TEST_FULL is set, as tests/full.sh does.
"""
import hashlib
import os
import signal
import time

import numpy
import pytest

if not os.environ.get("TDZ_TEST_FULL"):
    pytest.skip("TDZ_TEST_FULL is not set", allow_module_level=True)
zarr = pytest.importorskip("zarr", "3.1")
pytest.importorskip("distributed")
import dask  # noqa: E402
import dask.array  # noqa: E402
from clusters import cluster, digests, empty_array, grid, write  # noqa: E402

import tdz.dask  # noqa: E402

SHAPE, CHUNKS, SHARDS = (6000, 4000), (500, 500), (1000, 1000)


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    folder = tmp_path_factory.mktemp("alone")
    with dask.config.set(scheduler="sync"):
        write(folder, SHAPE, CHUNKS, SHARDS)
    return digests(folder)


@pytest.mark.parametrize("workers", [1, 2, 3, 4])
def test_bytes_do_not_depend_on_the_number_of_workers(alone, tmp_path, workers):
    with cluster(workers):
        write(tmp_path, SHAPE, CHUNKS, SHARDS)
    assert digests(tmp_path) == alone


def slowly(block):
    time.sleep(0.3)
    return block


def test_a_killed_worker_changes_nothing(alone, tmp_path):
    with cluster(4) as client:
        victim = next(iter(client.run(os.getpid).values()))
        array = empty_array(tmp_path, SHAPE, CHUNKS, SHARDS)
        writing = client.compute(tdz.dask.store(grid(SHAPE, SHARDS).map_blocks(slowly, dtype="i4"), array, compute=False))
        while array.nchunks_initialized < 3 * 4:  # three shards are there, three or more are being made
            time.sleep(0.02)
        assert not writing.done()
        os.kill(victim, signal.SIGKILL)
        writing.result()
        assert victim not in client.run(os.getpid).values()
    assert digests(tmp_path) == alone


@pytest.fixture
def s3():
    """The address of a server that lives as long as the test."""
    pytest.importorskip("s3fs")
    server = pytest.importorskip("moto.server").ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


def test_an_object_store_holds_the_same_bytes(alone, s3, monkeypatch):
    import s3fs
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    options = {"endpoint_url": s3}
    files = s3fs.S3FileSystem(**options)
    files.mkdir("numbers")
    with cluster(4):
        array = write("s3://numbers/grid.zarr", SHAPE, CHUNKS, SHARDS, storage_options=options)
        total = dask.array.from_array(array, chunks=array.shards).sum().compute()
    stored = {path.removeprefix("numbers/grid.zarr/"): hashlib.sha256(files.cat_file(path)).hexdigest()
              for path in files.find("numbers/grid.zarr")}
    assert stored == alone
    assert total == grid(SHAPE, SHARDS).sum().compute(scheduler="threads")


def test_dask_alone_loses_numbers(tmp_path):
    """Why tdz.dask.store refuses blocks that cut a shard. If this fails, zarr or Dask protect shards, and we need not."""
    lost = 0
    with cluster(4) as client:
        for attempt in range(5):
            array = empty_array(tmp_path / str(attempt), (1 << 20,), (1 << 14,), (1 << 20,))
            pieces = dask.array.ones(1 << 20, chunks=1 << 17, dtype="i4")
            dask.array.store(pieces, array, lock=False)
            lost += int((array[...] != 1).sum())
            if lost:
                break
    assert lost
