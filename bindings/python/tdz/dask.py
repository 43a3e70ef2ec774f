# SPDX-License-Identifier: Apache-2.0
"""Dask arrays into Zarr arrays, from any number of workers.

    tdz.dask.store(numbers.rechunk(target.shards or target.chunks), target)
"""
from __future__ import annotations

from typing import Any

import dask.array

__all__ = ["check_blocks", "store"]


def check_blocks(source: dask.array.Array, target: Any) -> None:
    """Raises ValueError if two blocks of `source` would write the same object of `target`: a shard, or a chunk if there are
    no shards. Each of them reads the object, changes its part and writes it whole; so the last one wins, and what the
    others wrote is lost without an error.
    """
    if source.shape != target.shape:
        raise ValueError(f"shapes differ: {source.shape} into {target.shape}")
    kind, unit = ("shard", target.shards) if target.shards else ("chunk", target.chunks)
    for axis, (blocks, step) in enumerate(zip(source.chunks, unit, strict=True)):
        end = 0
        for block in blocks[:-1]:
            end += block
            if end % step:
                raise ValueError(f"a block ends at {end} of axis {axis}, inside a {kind} of {step}: two tasks would write this "
                                 f"{kind}, and numbers would be lost. Use source.rechunk({tuple(unit)}) or multiples of it")


def store(source: dask.array.Array, target: Any, *, compute: bool = True, **options: Any) -> Any:
    """dask.array.store into the whole of a Zarr array, if every block is made of whole shards. The options are Dask's."""
    check_blocks(source, target)
    return dask.array.store(source, target, lock=False, compute=compute, **options)
