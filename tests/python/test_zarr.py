# SPDX-License-Identifier: Apache-2.0
"""The Zarr codec: what it stores, what it restores, what it refuses."""
import json
import pathlib
import pickle
import struct
import subprocess
import sys

import numpy
import pytest

zarr = pytest.importorskip("zarr", "3.1")
import tdz  # noqa: E402
import tdz.zarr  # noqa: E402

SAMPLES = pathlib.Path(__file__).parents[2] / "samples"


def geoid():
    return numpy.fromfile(SAMPLES / "geoid_f32x1.bin", "<f4").reshape(-1, 1440)


def metadata(folder):
    return json.loads((folder / "zarr.json").read_text())


def stored(folder):
    return sum(path.stat().st_size for path in (folder / "c").rglob("*") if path.is_file())


def wave(count, dtype):
    return (1000 * numpy.sin(numpy.arange(count) / 50)).astype(dtype)


# ---- Round trips ----

DTYPES = ["i1", "u2", "<i4", ">i4", "u8", "f2", "f4", ">f8", "c8", "c16", "?", "S5", "U3", "datetime64[s]", "timedelta64[ms]"]


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype_comes_back(tmp_path, dtype):
    numbers = wave(1000, "i2").astype(dtype).reshape(20, 50)
    zarr.create_array(tmp_path, data=numbers, chunks=(7, 20), compressors=[tdz.zarr.Tdz()])
    assert numpy.array_equal(zarr.open_array(tmp_path)[...], numbers)


def test_texts_of_any_length_come_back(tmp_path):
    texts = numpy.array(["", "tdz", "größer" * 50] * 40, numpy.dtypes.StringDType())
    zarr.create_array(tmp_path, data=texts, chunks=50, compressors=[tdz.zarr.Tdz()])
    assert (zarr.open_array(tmp_path)[...] == texts).all()


def test_a_record_becomes_columns(tmp_path):
    numbers = numpy.zeros(3000, [("time", "i8"), ("x", "f4"), ("y", "f4"), ("kind", "u1")])
    numbers["time"] = numpy.arange(3000) * 1000
    zarr.create_array(tmp_path, data=numbers, chunks=1000, compressors=[tdz.zarr.Tdz()])
    columns = metadata(tmp_path)["codecs"][1]["configuration"]["columns"]
    assert [(column["type"], column["count"]) for column in columns] == [("i64", 1), ("f32", 2), ("u8", 1)]
    assert numpy.array_equal(zarr.open_array(tmp_path)[...], numbers)


TIMES = [
    ([("t", "M8[ms]"), ("name", "S27"), ("x", "f4")], ["i64", "bytes", "f32"]),
    ([("a", [("t", "m8[s]"), ("kind", "u1")]), ("b", "<u2")], ["i64", "u8", "u16"]),
]


@pytest.mark.parametrize("fields, types", TIMES)
def test_times_in_a_record_become_columns(tmp_path, fields, types):
    numbers = numpy.zeros(3000, fields)
    numbers[numbers.dtype.names[-1]] = numpy.arange(3000) % 9
    for name, plan in ("own", None), ("planned", tdz.zarr.plan_array(numbers, 1000)):
        zarr.create_array(tmp_path / name, data=numbers, chunks=1000, compressors=[tdz.zarr.Tdz(plan)])
        assert numpy.array_equal(zarr.open_array(tmp_path / name)[...], numbers)
    assert [column["type"] for column in metadata(tmp_path / "own")["codecs"][1]["configuration"]["columns"]] == types


def test_plan_array_refuses_a_mask():
    with pytest.raises(TypeError, match="mask"):
        tdz.zarr.plan_array(numpy.ma.array(wave(1000, "i4"), mask=wave(1000, "i4") > 3), 100)


def test_effort_of_plan_array():
    plans = {effort: tdz.zarr.plan_array(geoid(), (30, 300), effort=effort) for effort in ("fast", "normal", "best")}
    assert {plan.level for plan in plans.values()} == {1}
    assert len(tdz.encode_block(geoid(), plans["best"])) <= 1.01 * len(tdz.encode_block(geoid(), plans["fast"]))
    with pytest.raises(ValueError, match="effort"):
        tdz.zarr.plan_array(geoid(), (30, 300), effort="default")


@pytest.mark.parametrize("dtype", DTYPES)
def test_fastest(tmp_path, dtype):
    numbers = wave(1000, "i2").astype(dtype).reshape(20, 50)
    codec = tdz.zarr.Tdz(effort="fastest")
    zarr.create_array(tmp_path, data=numbers, chunks=(7, 20), compressors=[codec])
    configuration = metadata(tmp_path)["codecs"][1]["configuration"]
    assert configuration["packing"] == {"planes": ["stored"]}
    assert configuration["columns"][0]["layout"]["layout"] == ("interleaved" if dtype == "S5" else "packed")
    assert numpy.array_equal(zarr.open_array(tmp_path)[...], numbers)


def test_fastest_with_rows_and_records(tmp_path):
    codecs = [tdz.zarr.Tdz(effort="fastest", rows=True), tdz.zarr.Tdz(tdz.zarr.plan_array(geoid(), (30, 300), effort="fastest"))]
    for name, codec in zip("ab", codecs, strict=True):
        zarr.create_array(tmp_path / name, data=geoid(), chunks=(30, 300), compressors=[codec])
        assert numpy.array_equal(zarr.open_array(tmp_path / name)[...], geoid())
        assert stored(tmp_path / name) < 0.8 * geoid().nbytes
    numbers = numpy.zeros(1000, [("t", "i8"), ("x", "f4"), ("y", "f4"), ("kind", "u1")])
    numbers["t"] = numpy.arange(1000) * 7
    zarr.create_array(tmp_path / "c", data=numbers, chunks=100, compressors=[tdz.zarr.Tdz(effort="fastest")])
    layouts = [column["layout"] for column in metadata(tmp_path / "c")["codecs"][1]["configuration"]["columns"]]
    assert layouts == [{"layout": "packed", "tuple": count} for count in (1, 2, 1)]
    assert numpy.array_equal(zarr.open_array(tmp_path / "c")[...], numbers)


def test_fastest_has_no_level_and_other_efforts_search():
    assert tdz.zarr.Tdz(effort="normal") == tdz.zarr.Tdz()
    with pytest.raises(ValueError, match="no level"):
        tdz.zarr.Tdz(effort="fastest", level=1)
    with pytest.raises(ValueError, match="effort"):
        tdz.zarr.Tdz(effort="best")
    with pytest.raises(ValueError, match="effort"):
        tdz.zarr.Tdz(tdz.plan_for("f32"), effort="fastest")


@pytest.mark.parametrize("shape", [(), (1,), (0, 3), (5, 0), (1, 1, 7)])
def test_small_shapes_come_back(tmp_path, shape):
    numbers = wave(int(numpy.prod(shape)), "f8").reshape(shape)
    zarr.create_array(tmp_path, data=numbers, compressors=[tdz.zarr.Tdz()])
    assert numpy.array_equal(zarr.open_array(tmp_path)[...], numbers)


def test_shards_hold_blocks(tmp_path):
    zarr.create_array(tmp_path, data=geoid(), chunks=(13, 240), shards=(39, 720), compressors=[tdz.zarr.Tdz(order=2)])
    assert numpy.array_equal(zarr.open_array(tmp_path)[20:70, 100:900], geoid()[20:70, 100:900])


def test_transposed_and_big_endian_bytes_come_back(tmp_path):
    zarr.create_array(tmp_path, data=geoid(), chunks=(30, 300), filters=[zarr.codecs.TransposeCodec(order=(1, 0))],
                      serializer=zarr.codecs.BytesCodec(endian="big"), compressors=[tdz.zarr.Tdz(rows=True), zarr.codecs.Crc32cCodec()])
    assert numpy.array_equal(zarr.open_array(tmp_path)[...], geoid())


def test_the_fused_pipeline_gives_the_same_bytes(tmp_path):
    codec_pipeline = pytest.importorskip("zarr.core.codec_pipeline")
    if not hasattr(codec_pipeline, "FusedCodecPipeline"):
        pytest.skip("this zarr has one pipeline")
    zarr.create_array(tmp_path / "batched", data=geoid(), chunks=(30, 300), compressors=[tdz.zarr.Tdz()])
    with zarr.config.set({"codec_pipeline.path": "zarr.core.codec_pipeline.FusedCodecPipeline"}):
        zarr.create_array(tmp_path / "fused", data=geoid(), chunks=(30, 300), compressors=[tdz.zarr.Tdz()])
        assert numpy.array_equal(zarr.open_array(tmp_path / "batched")[...], geoid())
    for block in (tmp_path / "batched" / "c").rglob("*"):
        assert block.is_dir() or block.read_bytes() == (tmp_path / "fused" / block.relative_to(tmp_path / "batched")).read_bytes()


# ---- zarr.json ----

def test_zarr_json_keeps_the_plan(tmp_path):
    plan = tdz.plan_for("f32", 2)
    zarr.create_array(tmp_path, data=geoid(), chunks=(30, 300), compressors=[tdz.zarr.Tdz(plan)])
    codec = metadata(tmp_path)["codecs"][1]
    assert codec["name"] == "tdz"
    assert tdz.Plan.from_json(json.dumps(codec["configuration"])) == plan


def test_without_a_plan_the_array_gives_the_word(tmp_path):
    zarr.create_array(tmp_path, data=wave(100, "u2"), compressors=[{"name": "tdz"}])
    configuration = metadata(tmp_path)["codecs"][1]["configuration"]
    assert (configuration["version"], configuration["record"]) == (1, 2)
    assert configuration["columns"][0]["type"] == "u16"
    assert configuration["columns"][0]["steps"][0] == {"step": "difference", "tuple": 1, "order": 1, "run": 0}


def test_names_in_a_dictionary_are_options(tmp_path):
    zarr.create_array(tmp_path, data=wave(100, "u2"), compressors=[{"name": "tdz", "configuration": {"order": 3, "level": 7}}])
    configuration = metadata(tmp_path)["codecs"][1]["configuration"]
    assert (configuration["columns"][0]["steps"][0]["order"], configuration["packing"]["level"]) == (3, 7)


def test_reading_ignores_members_that_it_does_not_know(tmp_path):
    zarr.create_array(tmp_path, data=geoid(), chunks=(30, 300), compressors=[tdz.zarr.Tdz()])
    document = metadata(tmp_path)
    document["codecs"][1]["configuration"] = {"version": 9, "colour": "blue"}
    (tmp_path / "zarr.json").write_text(json.dumps(document))
    array = zarr.open_array(tmp_path)
    assert numpy.array_equal(array[...], geoid())
    with pytest.raises(tdz.UnsupportedError):
        array[:30, :300] = 1
    array.update_attributes({"title": "heights"})
    assert metadata(tmp_path)["codecs"][1]["configuration"] == {"version": 9, "colour": "blue"}


def test_writing_refuses_members_that_it_does_not_know(tmp_path):
    array = zarr.create_array(tmp_path, shape=10, dtype="i4", compressors=[{"name": "tdz", "configuration": {"ordr": 2}}])
    with pytest.raises(ValueError, match="ordr"):
        array[:] = 1


def test_equal_codecs_are_equal_and_pickle():
    assert tdz.zarr.Tdz(order=2) == tdz.zarr.Tdz(order=2) != tdz.zarr.Tdz(order=3)
    codec = tdz.zarr.Tdz(tdz.plan_for("i16x2"))
    assert pickle.loads(pickle.dumps(codec)) == codec == tdz.zarr.Tdz.from_dict(codec.to_dict())
    assert hash(codec) == hash(tdz.zarr.Tdz(tdz.plan_for("i16x2")))


def test_an_older_zarr_is_refused_in_words(tmp_path):
    (tmp_path / "zarr.py").write_text('__version__ = "2.13.6"\n')
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import tdz.zarr"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stderr.splitlines()[-1].startswith("ImportError: tdz.zarr needs zarr 3.1 or later, and this is 2.13.6; ")


def test_a_plan_and_its_parts_exclude_each_other():
    with pytest.raises(ValueError, match="plan"):
        tdz.zarr.Tdz(tdz.plan_for("i16"), order=2)
    with pytest.raises(ValueError, match="at least 1"):
        tdz.zarr.Tdz(order=0, rows=True)


# ---- Rows and plans ----

@pytest.mark.parametrize("shards", [None, (60, 600)])
def test_rows_come_from_the_chunk_not_from_the_array(tmp_path, shards):
    zarr.create_array(tmp_path / "rows", data=geoid(), chunks=(30, 300), shards=shards, compressors=[tdz.zarr.Tdz(rows=True)])
    zarr.create_array(tmp_path / "plain", data=geoid(), chunks=(30, 300), shards=shards, compressors=[tdz.zarr.Tdz()])
    if not shards:
        block = (tmp_path / "rows" / "c" / "0" / "0").read_bytes()
        assert '"tuple":300' in tdz.block_plan(block).to_json()
    assert stored(tmp_path / "rows") < stored(tmp_path / "plain")
    assert numpy.array_equal(zarr.open_array(tmp_path / "rows")[...], geoid())


def test_a_searched_plan_beats_order_1(tmp_path):
    plan = tdz.zarr.plan_array(geoid(), (30, 300))
    zarr.create_array(tmp_path / "planned", data=geoid(), chunks=(30, 300), compressors=[tdz.zarr.Tdz(plan)])
    zarr.create_array(tmp_path / "plain", data=geoid(), chunks=(30, 300), compressors=[tdz.zarr.Tdz()])
    assert stored(tmp_path / "planned") < stored(tmp_path / "plain")


def test_a_plan_knows_what_numbers_are_multiples_of(tmp_path):
    """So each chunk has the same bytes in any order of writing, and none is searched for its step."""
    numbers = (numpy.cumsum(numpy.random.default_rng(3).integers(-9, 10, 40000)) / 244).astype("<f4")
    plan = tdz.zarr.plan_array(numbers, 8000)
    assert {"num": 1, "den": 244} in json.loads(plan.to_json())["packing"]["scales"][0]["pairs"]
    array = zarr.create_array(tmp_path, shape=numbers.shape, dtype=numbers.dtype, chunks=8000, compressors=[tdz.zarr.Tdz(plan)])
    for at in range(32000, -1, -8000):
        array[at:at + 8000] = numbers[at:at + 8000]
    assert (tmp_path / "c" / "1").read_bytes() == tdz.encode_block(numbers[8000:16000], plan)
    assert numpy.array_equal(array[...], numbers)


def test_plan_array_takes_what_zarr_takes(tmp_path):
    array = zarr.create_array(tmp_path, data=geoid(), chunks=(30, 300))
    assert tdz.zarr.plan_array(array, (30, 300), (60, 600)) == tdz.zarr.plan_array(geoid(), (30, 300))
    assert tdz.zarr.plan_array(geoid().ravel()[:100], 1000)  # less than a chunk
    with pytest.raises(ValueError, match="multiples"):
        tdz.zarr.plan_array(geoid(), (30, 300), (100, 600))
    with pytest.raises(ValueError, match="expected 2 lengths"):
        tdz.zarr.plan_array(geoid(), (30,))


# ---- Hostile blocks ----

@pytest.fixture
def one_block(tmp_path):
    """An array of one chunk of 4000 bytes, and the place of its block."""
    array = zarr.create_array(tmp_path, data=wave(1000, "i4"), chunks=1000, compressors=[tdz.zarr.Tdz()])
    return array, tmp_path / "c" / "0"


def block_of(bytes_):
    return tdz.encode_block(bytes_, tdz.plan_for("u8"))


def test_a_cut_block_is_truncated(one_block):
    array, place = one_block
    block = place.read_bytes()
    for length in (0, 1, 31, 100, len(block) - 1):
        place.write_bytes(block[:length])
        with pytest.raises(tdz.TruncatedError):
            array[...]


def test_a_changed_block_is_an_error(one_block):
    array, place = one_block
    block = place.read_bytes()
    for at in range(0, len(block), 7):
        place.write_bytes(block[:at] + bytes([block[at] ^ 0x55]) + block[at + 1:])
        try:
            assert numpy.array_equal(array[...], wave(1000, "i4"))  # a byte that decides nothing
        except tdz.Error:
            pass


def test_a_block_of_other_length_is_an_error(one_block):
    array, place = one_block
    place.write_bytes(block_of(b"x" * 3999))
    with pytest.raises(tdz.CorruptError, match="3999"):
        array[...]
    place.write_bytes(block_of(b"x" * 4001))
    with pytest.raises(tdz.LimitError):
        array[...]


def test_memory_is_bounded_by_the_chunk(one_block):
    """The block promises 64 MiB; the chunk has 4000 bytes."""
    import tracemalloc
    array, place = one_block
    place.write_bytes(block_of(bytes(64 << 20)))
    tracemalloc.start()
    with pytest.raises(tdz.LimitError):
        array[...]
    assert tracemalloc.get_traced_memory()[1] < 1 << 20
    tracemalloc.stop()


def test_bytes_that_are_no_block_are_corrupt(one_block):
    array, place = one_block
    for garbage in (b"garbage" * 100, struct.pack("<II", 0x184D2A5A, 1 << 30) + bytes(100), bytes(4000)):
        place.write_bytes(garbage)
        with pytest.raises(tdz.CorruptError):
            array[...]


def test_tdz_must_be_the_first_compressor(tmp_path):
    array = zarr.create_array(tmp_path, shape=1000, dtype="i4", compressors=[zarr.codecs.GzipCodec(), tdz.zarr.Tdz()])
    with pytest.raises(ValueError, match="first of the compressors"):
        array[:] = numpy.arange(1000)


def test_a_chunk_above_1_gib_is_refused_at_once(tmp_path):
    with pytest.raises(ValueError, match="1 GiB"):
        zarr.create_array(tmp_path, shape=1 << 30, chunks=1 << 28, dtype="f8", compressors=[tdz.zarr.Tdz()])
