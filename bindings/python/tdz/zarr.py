# SPDX-License-Identifier: Apache-2.0
"""tdz for Zarr version 3: every chunk is one tdz block.

    zarr.create_array(store, data=numbers, chunks=chunks, compressors=[tdz.zarr.Tdz()])
    zarr.create_array(store, data=numbers, chunks=chunks, compressors=[tdz.zarr.Tdz(tdz.zarr.plan_array(numbers, chunks))])

zarr.json keeps {"name": "tdz", "configuration": PLAN}, with the plan as docs/json.md describes it. Writing needs this
plan. Reading does not: every block holds the plan that it was written with.
"""
from __future__ import annotations

import asyncio
import json
import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy
import zarr

try:
    from zarr.abc.codec import BytesBytesCodec
    from zarr.buffer import gpu
    from zarr.registry import register_codec
except ImportError as error:
    raise ImportError(f"tdz.zarr needs zarr 3.1 or later, and this is {zarr.__version__}; with an older one use "
                      "tdz.numcodecs.Tdz() as the compressor") from error

import tdz
import tdz.cuda
from tdz._types import own_members, plan_members

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, Self

    from zarr.core.array_spec import ArraySpec
    from zarr.core.buffer import Buffer

__all__ = ["Tdz", "plan_array"]

MOST_BYTES = 1 << 30  # of a block's original
OWN_MEMBERS = ("rows", "pad")  # of a configuration; all others are the plan's
SAMPLE_BYTES = 16 << 20
CHUNKS_KEPT = 16  # Zarr works on ten at a time, each of them packed and restored
MOST_KEPT = 62 << 20


def _text(members: dict[str, Any]) -> str:
    """Sorted, so that equal configurations are equal texts."""
    return json.dumps(members, sort_keys=True, separators=(",", ":"))


@lru_cache(maxsize=256)
def _own_members(configuration: str) -> dict[str, bool]:
    members = json.loads(configuration)
    return {name: bool(members.get(name)) for name in OWN_MEMBERS}


@lru_cache(maxsize=256)
def _plan(configuration: str, row: int) -> tdz.Plan:
    members = json.loads(configuration)
    for name in OWN_MEMBERS:
        members.pop(name, None)
    if row > 1:
        for column in members["columns"]:
            _add_rows(column, row)
    return tdz.Plan.from_json(json.dumps(members))


def _add_rows(column: dict[str, Any], row: int) -> None:
    """A difference over rows after the difference over neighbours."""
    steps = column["steps"]
    place = next((i + 1 for i, step in enumerate(steps) if step["step"] == "difference"), None)
    if place is not None:
        steps.insert(place, {"step": "difference", "tuple": row * column["count"], "order": 1, "run": 0})


def _chunk_bytes(spec: ArraySpec) -> int | None:
    """The length of a chunk. None: it depends on the values, as that of texts does."""
    size = getattr(spec.dtype, "item_size", None)
    return None if size is None else size * math.prod(spec.shape)


def _is_on_gpu(spec: ArraySpec) -> bool:
    """Zarr wants the numbers on a GPU, and this build of tdz can decode there."""
    return issubclass(spec.prototype.buffer, gpu.Buffer) and tdz.cuda.device_count() > 0


@lru_cache(maxsize=256)
def _keep_freed_memory(chunk: int) -> None:
    """Makes glibc keep the memory of some chunks of this length when they are freed. Otherwise it returns this memory to
    the system after each chunk, and takes it again page by page; this took a third of the time of reading.

    glibc keeps freed memory up to twice the longest block that was ever freed, except where the user sets a limit, and
    counts blocks up to 32 MiB (mallopt(3), M_MMAP_THRESHOLD). So it is enough to take and free such a block. No page of it
    is touched.
    """
    numpy.empty(min(CHUNKS_KEPT * chunk, MOST_KEPT) // 2, numpy.uint8)


def _decoded(block: numpy.ndarray, expected: int) -> tuple[numpy.ndarray, int]:
    numbers = numpy.empty(expected, numpy.uint8)
    return numbers, tdz.decode_block(block, out=numbers)


def _decoded_on_gpu(block: numpy.ndarray, expected: int) -> tuple[Any, int]:
    """Zarr's arrays on a GPU are those of CuPy. The work is done when this returns."""
    import cupy
    numbers = cupy.empty(expected, cupy.uint8)
    return numbers, tdz.cuda.decode_blocks([block], numbers, stream=cupy.cuda.get_current_stream())


def _is_alone() -> bool:
    """There is one core to use, so chunks cannot be coded at the same time. Then tasks and threads only cost."""
    return tdz.default_threads() == 1


def _one_by_one(work: Callable[[Buffer, ArraySpec], Buffer], chunks: Iterable[tuple[Buffer | None, ArraySpec]]) -> list[Buffer | None]:
    return [None if chunk is None else work(chunk, spec) for chunk, spec in chunks]


@dataclass(frozen=True, init=False, repr=False)
class Tdz(BytesBytesCodec):
    """Compresses the numbers of a chunk.

    plan: what tdz.plan, tdz.plan_for or plan_array returned. Without a plan: the difference of this order in the array's
    own type, at this level of zstd. rows: also the difference of each row to the row before, as suits smooth grids; a row
    is as long as the last axis of a chunk. effort="fastest": groups of 16 numbers in place of zstd, larger and faster.
    """

    is_fixed_size = False
    configuration: str

    def __init__(self, plan: tdz.Plan | None = None, *, order: int = 1, rows: bool = False, level: int = 3,
                 effort: str = "normal") -> None:
        if plan is not None and (order, rows, level, effort) != (1, False, 3, "normal"):
            raise ValueError("order, rows, level and effort belong to a codec without a plan: a plan has its own")
        if rows and not order:
            raise ValueError("rows need an order of at least 1")
        members = {**own_members(order, level, effort), "rows": rows} if plan is None else json.loads(plan.to_json())
        object.__setattr__(self, "configuration", _text(members))

    def __repr__(self) -> str:
        return f"Tdz({self.configuration})"

    # ---- zarr.json: "version" is there as soon as there is a plan ----

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Self:
        members = dict(data.get("configuration") or {}) if isinstance(data, dict) else {}
        codec = cls()
        if members:
            object.__setattr__(codec, "configuration", _text(members))
        return codec

    def to_dict(self) -> dict[str, Any]:
        return {"name": "tdz", "configuration": json.loads(self.configuration)}

    def evolve_from_array_spec(self, array_spec: ArraySpec) -> Self:
        """Takes the type from the array. The length of a row is known later, when a chunk comes."""
        members = json.loads(self.configuration)
        if "version" in members:
            return self
        dtype = array_spec.dtype.to_native_dtype()
        own = members.pop("order", 1), members.pop("level", 3), False, members.pop("effort", "normal")
        plan = plan_members(dtype, *own)
        if not members.get("rows"):
            members.pop("rows", None)
        return type(self).from_dict({"configuration": {**members, **plan}})

    def validate(self, *, shape: tuple[int, ...], dtype: Any, chunk_grid: Any) -> None:
        size, chunk = getattr(dtype, "item_size", None), getattr(chunk_grid, "chunk_shape", None)
        if size and chunk and size * math.prod(chunk) > MOST_BYTES:
            raise ValueError(f"a chunk of {chunk} elements of {size} bytes has more than 1 GiB: choose smaller chunks")

    def compute_encoded_size(self, _input_byte_length: int, _chunk_spec: ArraySpec) -> int:
        raise NotImplementedError

    # ---- Chunks ----

    def _encode_sync(self, chunk_bytes: Buffer, chunk_spec: ArraySpec) -> Buffer:
        numbers, expected = chunk_bytes.as_numpy_array(), _chunk_bytes(chunk_spec)
        if expected is not None and numbers.nbytes != expected:
            raise ValueError(f"tdz got {numbers.nbytes} bytes for a chunk of {expected}: it must be the first of the compressors")
        if numbers.nbytes == 0:
            return chunk_bytes
        _keep_freed_memory(numbers.nbytes)
        plan = _plan(self.configuration, self._row(chunk_spec))
        return chunk_spec.prototype.buffer.from_bytes(tdz.encode_block(numbers, plan))

    def _decode_sync(self, chunk_bytes: Buffer, chunk_spec: ArraySpec) -> Buffer:
        block, expected = chunk_bytes.as_numpy_array(), _chunk_bytes(chunk_spec)
        if expected == 0 and block.nbytes == 0:
            return chunk_bytes
        if expected is None:
            return chunk_spec.prototype.buffer.from_bytes(tdz.decode_block(block, limit=MOST_BYTES))
        _keep_freed_memory(expected)
        on_gpu = _is_on_gpu(chunk_spec)
        numbers, length = (_decoded_on_gpu if on_gpu else _decoded)(block, expected)
        if length < expected:
            self._pad(numbers, length)
        buffer = chunk_spec.prototype.buffer
        return buffer.from_array_like(numbers) if on_gpu else buffer.from_bytes(numbers)

    async def _encode_single(self, chunk_bytes: Buffer, chunk_spec: ArraySpec) -> Buffer:
        return await asyncio.to_thread(self._encode_sync, chunk_bytes, chunk_spec)

    async def _decode_single(self, chunk_bytes: Buffer, chunk_spec: ArraySpec) -> Buffer:
        return await asyncio.to_thread(self._decode_sync, chunk_bytes, chunk_spec)

    async def encode(self, chunks_and_specs: Iterable[tuple[Buffer | None, ArraySpec]]) -> Iterable[Buffer | None]:
        return _one_by_one(self._encode_sync, chunks_and_specs) if _is_alone() else await super().encode(chunks_and_specs)

    async def decode(self, chunks_and_specs: Iterable[tuple[Buffer | None, ArraySpec]]) -> Iterable[Buffer | None]:
        return _one_by_one(self._decode_sync, chunks_and_specs) if _is_alone() else await super().decode(chunks_and_specs)

    def _row(self, spec: ArraySpec) -> int:
        return spec.shape[-1] if len(spec.shape) > 1 and _own_members(self.configuration)["rows"] else 0

    def _pad(self, numbers: Any, length: int) -> None:
        """The last chunk of a .tdz file may be short. What Zarr does not show of a chunk is zero."""
        if not _own_members(self.configuration)["pad"]:
            raise tdz.CorruptError(f"the block holds {length} bytes, but the chunk has {numbers.nbytes}")
        numbers[length:] = 0


register_codec("tdz", Tdz)  # pip's entry point does it too; a copy of the package that nobody installed has none


# ---- Planning ----

def plan_array(sample: Any, chunks: int | tuple[int, ...], shards: int | tuple[int, ...] | None = None, *, level: int = 1,
               **options: Any) -> tdz.Plan:
    """The plan that packs the chunks of such an array best. The options are those of tdz.plan. At level 1 chunks are written
    twice as fast as at level 3, and are 1 to 2 % longer. If up to 8 % more make reading faster, level 1 takes that too.

    sample: the array, or a part of it: NumPy, Zarr, Dask. A few whole chunks are read, 16 MiB at most. A part should be
    several chunks wide and long. chunks, shards: as in zarr.create_array; with shards, `chunks` are the inner ones.
    """
    chunks = _shape(chunks, sample.ndim, "chunks")
    if shards is not None:
        for length, inner in zip(_shape(shards, sample.ndim, "shards"), chunks, strict=True):
            if length % inner:
                raise ValueError(f"shards {shards} are not multiples of the chunks {chunks}")
    pieces = [numpy.require(sample[place], requirements="C") for place in _places(sample, chunks)]
    kind = tdz.type_of(pieces[0])  # raises for a masked array
    if sample.dtype.names and "type" not in options:
        options["type"] = kind
    return tdz.plan(b"".join(piece.tobytes() for piece in pieces), level=level, **options)


def _shape(given: int | tuple[int, ...], ndim: int, name: str) -> tuple[int, ...]:
    shape = (given,) * ndim if isinstance(given, int) else tuple(given)
    if len(shape) != ndim or min(shape, default=1) < 1:
        raise ValueError(f"{name} {given}: expected {ndim} lengths of at least 1")
    return shape


def _places(sample: Any, chunks: tuple[int, ...]) -> list[tuple[slice, ...]]:
    """Chunks that lie evenly over the sample. Whole ones, if there are any: in a part of a chunk rows have another length."""
    counts = tuple(max(1, length // chunk) for length, chunk in zip(sample.shape, chunks, strict=True))
    total = math.prod(counts)
    size = sample.dtype.itemsize * math.prod(map(min, chunks, sample.shape))
    taken = max(1, min(total, SAMPLE_BYTES // max(1, size)))
    numbers = [(2 * i + 1) * total // (2 * taken) for i in range(taken)]
    return [tuple(slice(at * chunk, (at + 1) * chunk) for at, chunk in zip(numpy.unravel_index(n, counts), chunks, strict=True))
            for n in numbers]
