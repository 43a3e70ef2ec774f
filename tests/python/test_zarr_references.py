# SPDX-License-Identifier: Apache-2.0
"""A .tdz file as a Zarr array, by references to its chunks."""
import json
import pathlib

import numpy
import pytest

zarr = pytest.importorskip("zarr", "3.1")
pytest.importorskip("fsspec")
import tdz  # noqa: E402
import tdz.references  # noqa: E402

SAMPLE = pathlib.Path(__file__).parents[2] / "samples" / "geoid_f32x1.bin"
ROWS = 182  # whole rows of 5760 bytes in a chunk of 1 MiB
GEOID = numpy.concatenate([numpy.fromfile(SAMPLE, "<f4").reshape(91, 1440)] * 5)


def compressed(folder, numbers, name="geoid.tdz"):
    """Chunks of whole rows: the rows are the records of the plan."""
    path = folder / name
    path.write_bytes(tdz.compress(numbers.tobytes(), plan=tdz.plan_for("f32x1440")))
    return path


def test_a_file_opens_as_an_array(tmp_path):
    path = compressed(tmp_path, GEOID)
    array = tdz.references.open_array(path, "<f4", GEOID.shape)
    assert (array.shape, array.chunks) == ((455, 1440), (ROWS, 1440))
    assert numpy.array_equal(array[...], GEOID)
    assert numpy.array_equal(array[360:, 5], GEOID[360:, 5])


def test_without_a_shape_there_is_one_axis(tmp_path):
    assert numpy.array_equal(tdz.references.open_array(compressed(tmp_path, GEOID), "<f4")[...], GEOID.ravel())


def test_big_endian_numbers(tmp_path):
    array = tdz.references.open_array(compressed(tmp_path, GEOID.astype(">f4")), ">f4", GEOID.shape)
    assert numpy.array_equal(array[...], GEOID)


def test_a_damaged_chunk_harms_no_other(tmp_path):
    path = compressed(tmp_path, GEOID)
    data = bytearray(path.read_bytes())
    place = tdz.references.references(path, "<f4", GEOID.shape)["refs"]["c/1/0"]
    data[place[1] + place[2] - 100] ^= 1
    path.write_bytes(data)
    array = tdz.references.open_array(path, "<f4", GEOID.shape)
    assert numpy.array_equal(array[:ROWS], GEOID[:ROWS]) and numpy.array_equal(array[2 * ROWS:], GEOID[2 * ROWS:])
    with pytest.raises(tdz.CorruptError):
        array[ROWS:ROWS + 1]


def test_files_joined_by_cat(tmp_path):
    whole = compressed(tmp_path, GEOID[:2 * ROWS])
    both = tmp_path / "both.tdz"
    both.write_bytes(whole.read_bytes() + compressed(tmp_path, GEOID, name="second.tdz").read_bytes())
    assert numpy.array_equal(tdz.references.open_array(both, "<f4", (819, 1440))[...], numpy.concatenate([GEOID[:2 * ROWS], GEOID]))


def test_references_are_plain_json(tmp_path):
    path = compressed(tmp_path, GEOID)
    found = json.loads(json.dumps(tdz.references.references(path, "<f4", GEOID.shape, url="s3://bucket/geoid.tdz")))
    assert found["refs"]["c/0/0"][0] == "s3://bucket/geoid.tdz"
    assert json.loads(found["refs"]["zarr.json"])["shape"] == [455, 1440]


def test_xarray_opens_references(tmp_path):
    xarray = pytest.importorskip("xarray")
    refs = tdz.references.references(compressed(tmp_path, GEOID), "<f4", GEOID.shape, name="geoid", dimensions=("lat", "lon"))
    dataset = xarray.open_dataset("reference://", engine="zarr", consolidated=False, backend_kwargs={"storage_options": {"fo": refs}})
    assert dataset.geoid.dims == ("lat", "lon")
    assert numpy.array_equal(dataset.geoid.values, GEOID)


# ---- What is no array ----

def test_a_short_chunk_in_the_middle_is_refused(tmp_path):
    both = tmp_path / "both.tdz"
    both.write_bytes(compressed(tmp_path, GEOID).read_bytes() * 2)
    with pytest.raises(ValueError, match="chunk 2 .* only the last chunk of an array may be shorter"):
        tdz.references.references(both, "<f4", (910, 1440))


def test_chunks_that_cut_rows_are_refused(tmp_path):
    with pytest.raises(ValueError, match="no whole rows of 28800"):
        tdz.references.references(compressed(tmp_path, GEOID), "<f4", (91, 7200))


def test_a_wrong_size_is_refused(tmp_path):
    with pytest.raises(ValueError, match="needs 5241600"):
        tdz.references.references(compressed(tmp_path, GEOID), "<f8", GEOID.shape)


def test_a_header_is_skipped_where_it_is_a_chunk(tmp_path):
    npy = tmp_path / "geoid.npy"
    numpy.save(npy, GEOID)
    path = tmp_path / "geoid.npy.tdz"
    path.write_bytes(tdz.compress(npy.read_bytes()))  # the search finds the header of 128 bytes
    assert numpy.array_equal(tdz.references.open_array(path, "<f4", header=128)[...], GEOID.ravel())
    with pytest.raises(ValueError, match="no chunk begins after 100 bytes"):
        tdz.references.references(path, "<f4", header=100)
