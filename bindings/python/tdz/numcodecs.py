# SPDX-License-Identifier: Apache-2.0
"""tdz for numcodecs: Zarr version 2, and everything else that takes a numcodecs codec.

    numcodecs.get_codec({"id": "tdz"}).encode(numbers)
"""
import json
from functools import lru_cache

import numpy
from numcodecs.abc import Codec
from numcodecs.compat import ensure_contiguous_ndarray
from numcodecs.registry import register_codec

import tdz
from tdz._types import is_big_endian, own_members, plan_members

__all__ = ["Tdz"]

OWN_MEMBERS = ("order", "level", "effort")  # of a configuration without a plan


@lru_cache(maxsize=256)
def _plan(configuration, dtype):
    members = json.loads(configuration)
    if "version" not in members:
        members = plan_members(dtype, members["order"], members.get("level", 3), is_big_endian(dtype),
                               members.get("effort", "normal"))
    return tdz.Plan.from_json(json.dumps(members))


class Tdz(Codec):
    """One block for each call. Without a plan: the difference of this order of the buffer's own type, at this level of zstd.

    With the effort 'fastest' groups of 16 numbers take the place of zstd: larger, and faster.

    A block says itself how long its original is. `max_buffer_size` is the most that decode accepts. No bytes are no block:
    they are stored as no bytes.
    """

    codec_id = "tdz"
    max_buffer_size = 1 << 30

    def __init__(self, plan=None, *, order=1, level=3, effort="normal"):
        if plan is not None and (order, level, effort) != (1, 3, "normal"):
            raise ValueError("order, level and effort belong to a codec without a plan: a plan has its own")
        self.configuration = own_members(order, level, effort) if plan is None else json.loads(plan.to_json())

    def encode(self, buf):
        if isinstance(buf, numpy.ndarray):
            tdz.type_of(buf)  # raises for a masked array, whose mask numcodecs drops
        numbers = ensure_contiguous_ndarray(buf, self.max_buffer_size)
        if numbers.nbytes == 0:
            return b""
        dtype = buf.dtype if isinstance(buf, numpy.ndarray) else numbers.dtype  # numcodecs forgets the byte order of times
        return tdz.encode_block(numbers, _plan(json.dumps(self.configuration), dtype))

    def decode(self, buf, out=None):
        block = ensure_contiguous_ndarray(buf, self.max_buffer_size)
        if out is None:
            return tdz.decode_block(block, limit=self.max_buffer_size) if block.nbytes else b""
        numbers = ensure_contiguous_ndarray(out)
        length = tdz.decode_block(block, out=numbers) if block.nbytes or numbers.nbytes else 0
        if length != numbers.nbytes:
            raise tdz.CorruptError(f"the block holds {length} bytes, but {numbers.nbytes} were expected")
        return out

    def get_config(self):
        return {"id": self.codec_id, **self.configuration}

    @classmethod
    def from_config(cls, config):
        """Decoding ignores members that it does not know; so they stay."""
        codec = cls()
        if "version" in config:
            codec.configuration = {}
        elif "effort" in config:
            codec.configuration = {"order": 1}
        codec.configuration.update((name, value) for name, value in config.items() if name != "id")
        return codec

    def __repr__(self):
        if "version" in self.configuration:
            return f"Tdz(tdz.Plan.from_json({json.dumps(self.configuration)!r}))"
        return f"Tdz({', '.join(f'{name}={self.configuration[name]!r}' for name in OWN_MEMBERS if name in self.configuration)})"


register_codec(Tdz)
