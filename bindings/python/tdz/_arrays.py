# SPDX-License-Identifier: Apache-2.0
"""save(), load(), tensors() and analyze(): arrays of numpy, with dtype, shape and order. Nothing here needs numpy before it is called."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any, Literal, overload

from tdz._buffer import Buffer
from tdz._files import _Input, _Output, open
from tdz._sources import Source

if TYPE_CHECKING:
    import numpy
    from numpy.typing import ArrayLike

    from tdz._analysis import Analysis
    from tdz._npy import StoredArray
    from tdz._tensors import Tensor


def save(
    file: _Output,
    array: ArrayLike,
    *,
    level: int | None = None,
    effort: Literal['fastest', 'fast', 'normal', 'best'] = 'normal',
    threads: int = 0,
    chunk: int | None = None,
    protect: int = 0,
) -> None:
    """Writes an array as a .npy file that is compressed. load() restores it, with dtype, shape and order.

    `file` is a path, such as 'heights.npy.tdz', or an object with write(). `tdz -d` makes heights.npy of it, which
    numpy.load reads. `level`, `effort`, `threads` and `protect` are those of compress(). `chunk`: about how many bytes are
    restored as a whole; small ones, from 65536 on, suit small parts of load(lazy=True). A new file has its name only
    when it is complete; until then an old one stays as it is. TypeError: a .npy file holds such numbers only as pickled
    objects, or not at all.
    """
    from tdz import _npy

    numbers = _npy.storable(array)
    with open(file, 'wb', level=level, effort=effort, threads=threads, chunk=chunk, protect=protect) as target:
        _npy.write(target, numbers)


@overload
def load(
    file: _Input | Buffer,
    *,
    tensor: str | None = None,
    lazy: Literal[False] = False,
    max_output: int | None = None,
    threads: int = 0,
) -> numpy.ndarray[Any, Any]: ...
@overload
def load(
    file: _Input | Buffer,
    *,
    tensor: str | None = None,
    lazy: Literal[True],
    max_output: int | None = None,
    threads: int = 0,
) -> StoredArray: ...


def load(file, *, tensor=None, lazy=False, max_output=None, threads=0):  # type: ignore[no-untyped-def]
    """The array of a file that save() wrote, or of any compressed .npy file; one tensor of a compressed safetensors file.

    `file` is a path, an object with read(), or the bytes of a file. Pickled objects are never read: TypeError.
    `max_output`: LimitError if the original is longer; without it, if the array is longer than the free memory.

    `lazy` gives an object with shape, dtype and ndim, which keeps the file open. Integers and slices as its index restore
    only the chunks that are needed; numpy.asarray() restores all. close(), `with` or its own end closes the file.

    `tensor` is a name in a compressed safetensors file, one that tensors() lists. Only the header of the file and the
    chunks of this tensor are restored. BF16 and the floats of 8 bits are dtypes of ml_dtypes if that is installed, else
    unsigned integers with the same bits; view('u2') or view('u1') gives these integers in either case. KeyError: there
    is no such tensor.
    """
    from tdz import _npy

    source = Source(file)
    if tensor is not None:
        return _tensor(source, tensor, lazy, max_output, threads)
    if source.file is None:
        with source:
            if lazy:
                raise io.UnsupportedOperation('load(lazy=True) needs a file that has seek()')
            with open(source, max_output=max_output, threads=threads) as original:
                return _npy.read(original)
    if lazy:
        try:
            return _npy.StoredArray(source, max_output, threads)
        except BaseException:
            source.close()
            raise
    with source, _npy.StoredArray(source, max_output, threads) as array:
        return array[...]


def _tensor(source: Source, name: str, lazy: bool, max_output: int | None, threads: int) -> Any:
    from tdz import _npy, _tensors

    try:
        if source.file is None:
            raise io.UnsupportedOperation('load(tensor=..) needs a file that has seek()')
        array = _npy.StoredArray(source, max_output, threads, _tensors.find(name))
    except BaseException:
        source.close()
        raise
    if lazy:
        return array
    with source, array:
        return array[...]


def tensors(file: _Input | Buffer) -> dict[str, Tensor]:
    """The tensors of a compressed safetensors file by their names, as its header lists them: dtype (as the file calls it,
    such as 'BF16'), shape, offset in the original, nbytes. Restores the header alone.

    `file` is a path, an object with read() and seek(), or the bytes of a file. ValueError: it is no safetensors file.
    The header is checked before it counts: CorruptError, TruncatedError or LimitError (more than 32 MiB).
    """
    from tdz import _core, _npy, _tensors

    with Source(file) as source:
        if source.file is None:
            raise io.UnsupportedOperation('tensors() needs a file that has seek()')
        reader = _core.reader(source.file, source.size, max_output=None, threads=0)
        return _tensors.read_tensors(_npy.reading_on(reader), reader.size)


def analyze(array: ArrayLike, /, *, type: str | None = None, sample: int = 1 << 24, threads: int = 0) -> Analysis:
    """How small an array gets with each effort, how long that takes on this machine, and which steps pack it.

    print() shows the answer as text, a notebook as a table with a chart. Its `plan` goes to compress() and
    encode_block(). Of an array that is longer than `sample` bytes, pieces from its beginning to its end are compressed,
    and the report says that its figures are estimates. `type` and `threads` are those of compress().
    """
    from tdz import _analysis

    return _analysis.analyze(array, type, sample, threads)
