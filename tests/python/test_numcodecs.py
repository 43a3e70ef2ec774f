# SPDX-License-Identifier: Apache-2.0
"""The codec for numcodecs, by the checks that numcodecs has for its own codecs."""
import json
import pickle

import numpy
import pytest

numcodecs = pytest.importorskip("numcodecs")
import tdz  # noqa: E402
from tdz.numcodecs import Tdz  # noqa: E402

CODECS = [Tdz(), Tdz(order=0), Tdz(order=3, level=9), Tdz(tdz.plan_for("f64", 2))]
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
