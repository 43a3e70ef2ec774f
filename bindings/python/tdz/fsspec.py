# SPDX-License-Identifier: Apache-2.0
"""The compression "tdz" of fsspec, for every program that opens files through it. Importing this module registers it.

    import fsspec, tdz.fsspec
    with fsspec.open('s3://bucket/table.csv.tdz', 'rt', compression='infer') as file: ...

fsspec has no entry points for compressions, so each process, such as a worker of Dask, imports this module itself.
"""

from __future__ import annotations

import io
from typing import Any

import fsspec.compression

from tdz._files import Writer, open

__all__ = ['open_compressed', 'register']


def open_compressed(file: Any, mode: str = 'rb', **_: Any) -> io.BufferedReader | Writer:
    """What fsspec calls: a file object of the original. `file` is open, and fsspec closes it."""
    if mode in ('r', 'rb'):
        return open(file)
    if mode not in ('w', 'wb', 'x', 'xb', 'a', 'ab'):
        raise ValueError(f'files of tdz are read or written, not {mode!r}')
    return open(file, 'wb')  # in the mode of `file`: a stream after other streams is what appending means


def register() -> None:
    """What importing this module does: compression='tdz', and names that end in .tdz for compression='infer'."""
    fsspec.compression.register_compression('tdz', open_compressed, 'tdz', force=True)


register()
