# SPDX-License-Identifier: Apache-2.0
"""The codec for numcodecs, by the checks that numcodecs has for its own codecs."""
import json
import os
import pathlib
import pickle

import numpy
import pytest

numcodecs = pytest.importorskip("numcodecs")
import tdz  # noqa: E402
from tdz.numcodecs import Tdz  # noqa: E402

CODECS = [Tdz(), Tdz(order=0), Tdz(order=3, level=9), Tdz(tdz.plan_for("f64", 2)), Tdz(effort="fastest")]
RANDOM = numpy.random.default_rng(5)
ARRAYS = [
    numpy.arange(1000, dtype="i4"),
    numpy.linspace(1000, 1001, 1000, dtype="f8"),
    RANDOM.normal(1000, 1, (100, 10)),
    RANDOM.normal(1000, 1, (100, 10)).astype(">f4"),
    RANDOM.integers(0, 2, 1000).astype(bool).reshape(100, 10, order="F"),
    RANDOM.choice([b"a", b"bb", b"ccc"], 1000).reshape(10, 10, 10),
    RANDOM.integers(0, 2**60, 1000).view("M8[ns]"),
    RANDOM.integers(0, 2**25, 1000).view("m8[m]"),
]


@pytest.fixture(scope="module")
def checks():
    return pytest.importorskip("numcodecs.tests.common")


@pytest.mark.parametrize("codec", CODECS, ids=range(len(CODECS)))
@pytest.mark.parametrize("numbers", ARRAYS, ids=range(len(ARRAYS)))
def test_encode_decode(checks, numbers, codec):
    checks.check_encode_decode(numbers, codec)


@pytest.mark.parametrize("codec", CODECS, ids=range(len(CODECS)))
def test_config(checks, codec):
    checks.check_config(codec)


def test_repr(checks, monkeypatch):
    monkeypatch.setattr(checks, "Tdz", Tdz, raising=False)
    monkeypatch.setattr(checks, "tdz", tdz, raising=False)
    for codec in CODECS:
        checks.check_repr(repr(codec))


def test_objects_are_refused(checks):
    checks.check_err_encode_object_buffer(Tdz())
    checks.check_err_decode_object_buffer(Tdz())


def test_max_buffer_size(checks):
    checks.check_max_buffer_size(Tdz())


def test_what_numcodecs_makes_is_kept(checks, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for _ in range(2):  # writes files, then reads them
        checks.check_backwards_compatibility("tdz", ARRAYS, CODECS)


def test_lists_and_gaps_are_refused():
    with pytest.raises(TypeError):
        Tdz().encode(["foo", "bar"])
    with pytest.raises(ValueError):
        Tdz().encode(numpy.arange(1000)[::2])


def test_equal_codecs_are_equal():
    assert Tdz() == Tdz() != Tdz(order=2)
    assert Tdz() != "tdz"
    assert pickle.loads(pickle.dumps(CODECS[3])) == CODECS[3]


def test_the_buffer_gives_the_word():
    assert json.loads(tdz.block_plan(Tdz().encode(numpy.arange(100, dtype="u2"))).to_json())["record"] == 2


def test_decoding_ignores_members_that_it_does_not_know():
    block = Tdz().encode(numpy.arange(100))
    assert numcodecs.get_codec({"id": "tdz", "version": 9, "colour": "blue"}).decode(block) == numpy.arange(100).tobytes()
    assert numcodecs.get_codec({"id": "tdz", "colour": "blue"}).decode(block) == numpy.arange(100).tobytes()


def test_hostile_blocks():
    block = Tdz().encode(numpy.arange(100))
    with pytest.raises(tdz.TruncatedError):
        Tdz().decode(block[:-1])
    with pytest.raises(tdz.CorruptError):
        Tdz().decode(b"garbage" * 20)
    with pytest.raises(tdz.CorruptError, match="800 bytes, but 808"):
        Tdz().decode(block, out=numpy.empty(101))
    with pytest.raises(tdz.LimitError):
        Tdz().decode(block, out=numpy.empty(99))


def test_zarr_version_2(tmp_path):
    zarr = pytest.importorskip("zarr", "3.1")
    numbers = numpy.arange(5000, dtype=">i2").reshape(50, 100)
    zarr.create_array(tmp_path, data=numbers, chunks=(20, 30), zarr_format=2, compressors=Tdz(order=2))
    assert numpy.array_equal(zarr.open_array(tmp_path)[...], numbers)
    assert json.loads((tmp_path / ".zarray").read_text())["compressor"] == {"id": "tdz", "order": 2, "level": 3}


def every_way(numbers, codec):
    """Encoded, decoded, and decoded into an array of the same dtype."""
    block = codec.encode(numbers)
    assert codec.decode(block) == numbers.tobytes()
    again = numpy.zeros_like(numbers)
    assert codec.decode(block, out=again) is again
    assert again.tobytes() == numbers.tobytes()
    return json.loads(tdz.block_plan(block).to_json())["columns"] if len(block) else []


def test_numbers_of_ml_dtypes():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    kinds = [getattr(ml_dtypes, name) for name in dir(ml_dtypes)]
    kinds = [kind for kind in kinds if isinstance(kind, type) and issubclass(kind, numpy.generic)]
    assert len(kinds) > 10
    for kind in kinds:
        numbers = numpy.frombuffer(bytearray(range(240)), kind)
        for codec in Tdz(), Tdz(order=0), Tdz(order=3, level=9):
            column, = every_way(numbers, codec)
            assert column["type"] == {1: "bytes", 2: "w16", 4: "w16"}[numbers.itemsize]
        rows = numpy.zeros(100, [("weight", kind), ("step", "<u4")])
        assert len(every_way(rows, Tdz())) == 2
    column, = every_way(numpy.zeros(9, ml_dtypes.bfloat16), Tdz())
    assert (column["type"], column["steps"][0]["step"]) == ("w16", "difference")


def test_records_of_any_fields():
    for fields, types in [
            ([("t", "M8[ms]"), ("name", "S27")], ["w64", "bytes"]),
            ([("t", ">M8[ms]"), ("x", ">f4")], ["w64", "w32"]),
            ([("a", [("t", "m8[s]"), ("k", "u1")], (2,)), ("b", "<u2")], ["w64", "bytes", "w64", "bytes", "w16"]),
            ([("none", "V0"), ("empty", "f4", (0,)), ("b", "<u2")], ["w16"]),
            ({"names": ["a", "b"], "formats": ["<f4", "<u2"], "offsets": [4, 0]}, ["w16", "bytes", "w32"]),
            ({"names": ["a", "b"], "formats": ["M8[s]", "<u4"], "offsets": [0, 4], "itemsize": 8}, ["bytes"])]:
        kind = numpy.dtype(fields)
        rows = numpy.frombuffer(bytearray(600 * kind.itemsize), kind)
        assert [column["type"] for column in every_way(rows, Tdz())] == types


def test_big_endian_times_are_swapped():
    for numbers in numpy.arange(1000).astype(">M8[s]"), numpy.zeros(9, [("a", [("x", ">f4"), ("y", ">f4")], (2,))]):
        for column in every_way(numbers, Tdz()):
            assert column["steps"][0]["step"] == "byteswap"


def test_fastest():
    for numbers in ARRAYS:
        if numbers.flags.c_contiguous:
            for column in every_way(numbers, Tdz(effort="fastest")):
                assert column["layout"]["layout"] == ("interleaved" if numbers.dtype.kind == "S" else "packed")
    for config in {"id": "tdz", "effort": "fastest"}, {"id": "tdz", "order": 1, "effort": "fastest"}:
        assert numcodecs.get_codec(config) == Tdz(effort="fastest")
    block = Tdz().encode(numpy.arange(100))
    assert numcodecs.get_codec({"id": "tdz", "effort": "later"}).decode(block) == numpy.arange(100).tobytes()
    for wrong in {"effort": "best"}, {"effort": "fastest", "level": 1}, {"plan": tdz.plan_for("f64"), "effort": "fastest"}:
        with pytest.raises(ValueError):
            Tdz(**wrong)


def test_nothing():
    for nothing in b"", numpy.zeros(0), numpy.zeros((3, 0), "M8[s]"), numpy.zeros(0, [("t", "M8[s]")]):
        for codec in CODECS:
            assert codec.encode(nothing) == b"" and codec.decode(b"") == b""
    empty = numpy.zeros(0)
    assert Tdz().decode(b"", out=empty) is empty
    with pytest.raises(tdz.TruncatedError):
        Tdz().decode(b"", out=numpy.zeros(3))


def test_a_mask_would_be_lost():
    with pytest.raises(TypeError, match="mask"):
        Tdz().encode(numpy.ma.array([1, 2, 3], mask=[0, 1, 0]))


def test_importing_registers(tmp_path):
    """Where no entry point says so: a copy of the package alone."""
    import shutil
    import subprocess
    import sys

    package = pathlib.Path(tdz.__file__).parent
    for folder in package, package.with_name("tdz.libs"):  # the second one comes with a wheel
        if folder.exists():
            shutil.copytree(folder, tmp_path / folder.name, ignore=shutil.ignore_patterns("__pycache__"))
    for code in ("import numcodecs, tdz.numcodecs; numcodecs.get_codec({'id': 'tdz'})",
                 "import zarr.registry, tdz.zarr; assert zarr.registry.get_codec_class('tdz') is tdz.zarr.Tdz"):
        if "zarr" in code and "numcodecs" not in code:
            pytest.importorskip("zarr", "3.1")
        done = subprocess.run([sys.executable, "-W", "error::UserWarning", "-c", code], cwd=tmp_path, capture_output=True, text=True,
                              env={**os.environ, "PYTHONPATH": str(tmp_path)})
        assert done.returncode == 0, done.stderr
