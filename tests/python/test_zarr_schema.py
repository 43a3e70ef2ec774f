# SPDX-License-Identifier: Apache-2.0
"""What is prepared for zarr-extensions is what the codec writes."""
import json
import pathlib
import re

import numpy
import pytest

zarr = pytest.importorskip("zarr", "3.1")
import tdz.zarr  # noqa: E402

FOLDER = pathlib.Path(__file__).parents[2] / "packaging" / "zarr-extensions" / "codecs" / "tdz"
CODECS = [tdz.zarr.Tdz(), tdz.zarr.Tdz(order=3, rows=True), tdz.zarr.Tdz(effort="fastest"),
          tdz.zarr.Tdz(tdz.plan(numpy.arange(100000) ** 2)),
          tdz.zarr.Tdz(tdz.plan_for("u64,f32x5,i24"))]


@pytest.mark.parametrize("codec", CODECS, ids=range(len(CODECS)))
def test_the_schema_accepts_it(codec):
    jsonschema = pytest.importorskip("jsonschema")
    array = zarr.create_array({}, shape=(80, 90), dtype="i8", compressors=[codec])
    stored = json.loads(json.dumps(array.metadata.to_dict()["codecs"][1]))
    jsonschema.validate(stored, json.loads((FOLDER / "schema.json").read_text()))


def test_the_example_of_the_readme_works():
    example = json.loads(re.search(r"```json\n(.*?)```", (FOLDER / "README.md").read_text(), re.S)[1])
    serializer, codec = example["codecs"]
    array = zarr.create_array({}, shape=100, dtype="f4", serializer=serializer, compressors=[codec])
    array[:] = numpy.arange(100)
    assert (array[:] == numpy.arange(100)).all()
    assert array.metadata.to_dict()["codecs"][1] == tdz.zarr.Tdz.from_dict(codec).to_dict()
