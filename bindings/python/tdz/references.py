# SPDX-License-Identifier: Apache-2.0
"""A .tdz file as a Zarr array, without conversion: each chunk of the file is a chunk of the array.

    array = tdz.references.open_array("heights.tdz", "<i2", (2160, 4320))
    array[1000:1010]

A chunk of a file is a tdz block as it stands there. So a Zarr array needs only the place of each chunk.
"""
from __future__ import annotations

import json
import math
import os
from typing import Any

import numpy
import zarr
from zarr.core.buffer import default_buffer_prototype
from zarr.storage import MemoryStore

import tdz
from tdz.zarr import Tdz

__all__ = ["open_array", "references"]


def references(path: str, dtype: Any, shape: tuple[int, ...] | None = None, *, header: int = 0, url: str | None = None,
               name: str = "", dimensions: tuple[str, ...] | None = None) -> dict[str, Any]:
    """References to byte ranges, in the form that kerchunk and fsspec share. json.dump makes a file of them.

    dtype, shape: of the numbers; without a shape the array has one axis. header: bytes before the numbers; they must be
    chunks of their own, as `tdz` stores the header of a .npy file. url: where readers find the file, if not at `path`.
    name: puts the array into a group, as xarray wants it, with these names of its dimensions.

    All chunks must hold equally many whole rows of the array. Only the last one may be short: the codec appends zeros.
    """
    dtype = numpy.dtype(dtype)
    chunks = _behind(header, _chunks_of(path))
    total = sum(chunk["original_bytes"] for chunk in chunks)
    shape = (total // dtype.itemsize,) if shape is None else tuple(shape)
    if math.prod(shape) * dtype.itemsize != total:
        raise ValueError(f"{path} holds {total} bytes of numbers, but {shape} of {dtype} needs {math.prod(shape) * dtype.itemsize}")
    rows = _rows_of_chunk(path, chunks, math.prod(shape[1:]) * dtype.itemsize)
    prefix = name + "/" if name else ""
    group = {"zarr.json": json.dumps({"zarr_format": 3, "node_type": "group", "attributes": {}})} if name else {}
    rest = "/0" * (len(shape) - 1)
    places = {f"{prefix}c/{i}{rest}": [url or os.path.abspath(path), chunk["stored_offset"], chunk["stored_bytes"]]
              for i, chunk in enumerate(chunks)}
    metadata = _metadata(shape, (rows, *shape[1:]), dtype, dimensions)
    return {"version": 1, "refs": {**group, f"{prefix}zarr.json": metadata, **places}}


def open_array(path: str, dtype: Any, shape: tuple[int, ...] | None = None, *, header: int = 0) -> zarr.Array:
    """The array, read-only. Needs fsspec."""
    refs = references(path, dtype, shape, header=header)
    return zarr.open_array("reference://", mode="r", storage_options={"fo": refs})


def _chunks_of(path: str) -> list[dict[str, Any]]:
    return [chunk for stream in tdz.info(path, chunks=True)["streams"] for chunk in stream["chunk_list"]]


def _behind(header: int, chunks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The chunks of the numbers."""
    place = 0
    for i, chunk in enumerate(chunks):
        if place == header:
            return chunks[i:]
        place += chunk["original_bytes"]
    raise ValueError(f"no chunk begins after {header} bytes")


def _rows_of_chunk(path: str, chunks: list[dict[str, Any]], row: int) -> int:
    size = chunks[0]["original_bytes"]
    for number, chunk in enumerate(chunks[1:-1], 1):
        if chunk["original_bytes"] != size:
            raise ValueError(f"chunk {number} of {path} has {chunk['original_bytes']} bytes and the first one {size}: "
                             "only the last chunk of an array may be shorter than the others")
    if chunks[-1]["original_bytes"] > size:
        raise ValueError(f"the last chunk of {path} is longer than the first one: the chunks of an array are equal")
    if size % row:
        raise ValueError(f"the chunks of {path} have {size} bytes, no whole rows of {row}: compress it with --chunk and a "
                         "multiple of this, or give another shape")
    return size // row


def _metadata(shape: tuple[int, ...], chunks: tuple[int, ...], dtype: numpy.dtype, dimensions: tuple[str, ...] | None) -> str:
    """zarr.json of the array, as zarr itself writes it."""
    serializer = zarr.codecs.BytesCodec(endian="big" if dtype.byteorder == ">" else "little")
    codec = Tdz.from_dict({"configuration": {"pad": True}})
    array = zarr.create_array(MemoryStore(), shape=shape, chunks=chunks, dtype=dtype, serializer=serializer, filters=None,
                              compressors=[codec], dimension_names=dimensions)
    return array.metadata.to_buffer_dict(default_buffer_prototype())["zarr.json"].to_bytes().decode()
