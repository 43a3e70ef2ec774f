# SPDX-License-Identifier: Apache-2.0
"""Arrays, chunks, shards and selections that zarr's own property tests draw, with tdz as the compressor."""
import numpy
import pytest

zarr = pytest.importorskip("zarr", "3.1")
pytest.importorskip("hypothesis")
pytest.importorskip("zarr.testing.strategies", exc_type=ImportError)
from hypothesis import HealthCheck, given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402
from zarr.testing import strategies  # noqa: E402

import tdz.zarr  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")
FORMATS = st.just(3)
few = settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


@pytest.fixture(autouse=True)
def tdz_is_the_default(monkeypatch):
    """zarr's strategies name no compressor."""
    blocks = []
    encode = tdz.encode_block
    monkeypatch.setattr("zarr.core.array.default_compressors_v3", lambda dtype: (tdz.zarr.Tdz(),))
    monkeypatch.setattr("tdz.encode_block", lambda *given: blocks.append(encode(*given)) or blocks[-1])
    yield
    assert len(blocks) > 50


@few
@given(data=st.data())
def test_what_was_written_is_read(data):
    numbers = data.draw(strategies.numpy_arrays())
    array = data.draw(strategies.arrays(arrays=st.just(numbers), zarr_formats=FORMATS))
    numpy.testing.assert_array_equal(array[...], numbers)


@few
@given(data=st.data())
def test_any_part_is_read_and_written(data):
    array = data.draw(strategies.arrays(paths=strategies.paths(max_num_nodes=2), attrs=st.none(), zarr_formats=FORMATS))
    expected = array[:]
    selection = data.draw(strategies.basic_indices(shape=expected.shape))
    numpy.testing.assert_array_equal(array[selection], expected[selection])
    new = data.draw(strategies.numpy_arrays(shapes=st.just(expected[selection].shape), dtype=expected.dtype))
    array[selection] = new
    expected[selection] = new
    numpy.testing.assert_array_equal(array[:], expected)
