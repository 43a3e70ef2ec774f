# SPDX-License-Identifier: Apache-2.0
"""Lossless compression of fixed-width numbers: differences (delta coding), byte planes (byte shuffle), zstd.

    import numpy, tdz
    stored = tdz.compress(numpy.arange(1000000, dtype='f4'))
    again = numpy.frombuffer(tdz.decompress(stored), 'f4')
    tdz.save('numbers.npy.tdz', numpy.arange(1000000).reshape(1000, 1000))
    rows = tdz.load('numbers.npy.tdz', lazy=True)[10:20]

compress() and open() make streams, as the program `tdz` does. encode_block() and decode_block() are for programs
that store chunks themselves. plan() says once how numbers are coded, for many blocks.

Functions release the GIL, and threads may call them at once. Sub-interpreters are not supported.
"""

from tdz._buffer import Buffer as _Buffer
from tdz._core import (
    CorruptError,
    Error,
    LimitError,
    Plan,
    PlanCache,
    TruncatedError,
    UnsupportedError,
    block_bound,
    block_plan,
    block_size,
    compress,
    decode_block,
    decompress,
    default_threads,
    encode_block,
    format_version,
    plan,
    plan_for,
    type_of as _type_of,
    version as __version__,
    zstd_version,
)
from tdz._arrays import analyze, load, save, tensors
from tdz._files import Writer, check, info, open

__all__ = [
    'CorruptError', 'Error', 'LimitError', 'Plan', 'PlanCache', 'TruncatedError', 'UnsupportedError', 'Writer',
    'analyze',
    'block_bound', 'block_plan', 'block_size', 'check', 'compress', 'decode_block', 'decompress', 'default_threads', 'encode_block',
    'format_version', 'info', 'load', 'open', 'plan', 'plan_for', 'save', 'tensors', 'type_of', 'zstd_version',
]


def type_of(data: _Buffer, /) -> str | None:
    """What tdz calls the numbers of a buffer, such as 'f32' or 'u64,f32x5'; None where its dtype says nothing."""
    return _type_of(data)[0]
