# SPDX-License-Identifier: Apache-2.0
"""Zarr's GPU buffers. Skipped without a GPU, without CuPy, and without libtdz_cuda.so."""
import pathlib

import numpy
import pytest

zarr = pytest.importorskip("zarr", "3.1")
cupy = pytest.importorskip("cupy")
import tdz.cuda  # noqa: E402
import tdz.zarr  # noqa: E402

if not tdz.cuda.device_count():
    pytest.skip("no GPU, or no libtdz_cuda.so", allow_module_level=True)

GEOID = numpy.fromfile(pathlib.Path(__file__).parents[2] / "samples" / "geoid_f32x1.bin", "<f4").reshape(-1, 1440)


@pytest.mark.parametrize("shards", [None, (60, 720)])
@pytest.mark.parametrize("codec", [tdz.zarr.Tdz(order=2, rows=True), tdz.zarr.Tdz(tdz.zarr.plan_array(GEOID, (30, 360), gpu=True))],
                         ids=["order 2", "planned"])
def test_chunks_are_decoded_on_the_gpu(tmp_path, monkeypatch, codec, shards):
    zarr.create_array(tmp_path, data=GEOID, chunks=(30, 360), shards=shards, compressors=[codec])
    monkeypatch.setattr("tdz.decode_block", None)  # not on the CPU
    with zarr.config.enable_gpu():
        numbers = zarr.open_array(tmp_path)[...]
        assert isinstance(numbers, cupy.ndarray)
        assert numpy.array_equal(numbers.get(), GEOID)


def test_numbers_on_the_gpu_are_written(tmp_path):
    with zarr.config.enable_gpu():
        zarr.create_array(tmp_path, data=cupy.asarray(GEOID), chunks=(30, 360), compressors=[tdz.zarr.Tdz()])
    assert numpy.array_equal(zarr.open_array(tmp_path)[...], GEOID)


def test_damage_is_found_on_the_gpu(tmp_path):
    zarr.create_array(tmp_path, data=GEOID, chunks=(91, 1440), compressors=[tdz.zarr.Tdz()])
    place = tmp_path / "c" / "0" / "0"
    block = place.read_bytes()
    with zarr.config.enable_gpu():
        place.write_bytes(block[:-1])
        with pytest.raises(tdz.TruncatedError):
            zarr.open_array(tmp_path)[...]
        place.write_bytes(block[:-100] + bytes([block[-100] ^ 1]) + block[-99:])
        with pytest.raises(tdz.CorruptError):
            zarr.open_array(tmp_path)[...]
        place.write_bytes(tdz.encode_block(bytes(GEOID.nbytes + 4), tdz.plan_for("f32")))
        with pytest.raises(tdz.LimitError):
            zarr.open_array(tmp_path)[...]
