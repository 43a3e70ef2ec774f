# SPDX-License-Identifier: Apache-2.0
"""Lone blocks into arrays on a GPU: of CuPy, PyTorch, and all others that have `__cuda_array_interface__` or DLPack."""

from collections.abc import Sequence
from typing import Any

from tdz import _core

Places = Sequence[tuple[int, int]]

_ALIGNMENT = 256  # of scratch memory
_BEHIND = 64  # bytes behind a block that are read, and not used


def device_count() -> int:
    """The number of GPUs that tdz can use; 0 without libtdz_cuda.so, and without a driver."""
    return _core.device_count()


def decode_blocks(blocks: Any, out: Any, /, *, places: Places | None = None, scratch: Any = None, stream: Any = None) -> int:
    """Restores the originals of lone blocks, one after the other, into an array on the GPU that is current.

    `blocks` is a sequence of buffers in host memory; or, with `places`, an array on the GPU that holds them all: then
    `places` says of each block where it begins and how many bytes it has. This array ends 64 bytes behind the last block
    or later, and what writes it is done.

    `out` is a contiguous array with `__cuda_array_interface__` or `__dlpack__`, such as a cupy.ndarray or a torch.Tensor.
    The work is put on `stream`: a cudaStream_t as an int, or an object of CuPy or PyTorch; without one, on the default
    stream. Work that others still have on the memory must be on this stream too, or be done.
    `scratch` is an array for the work in between; without one, it is made like `out`. Returns the number of bytes
    when all of them are proved. Raises what decode_block() raises, and UnsupportedError without a GPU.
    """
    handle = _handle_of(stream)
    decoder, _blocks = _decoder(blocks, places, handle)
    values, room, _out = _memory_of(out, 'out', handle)
    if room < decoder.original:
        raise _core.LimitError(f'the blocks restore {decoder.original} bytes; `out` has {room}')
    if scratch is None:
        scratch = _bytes_like(out, decoder.scratch + _ALIGNMENT)
    begin, length, _scratch = _memory_of(scratch, 'scratch', handle)
    gap = -begin % _ALIGNMENT
    if length < decoder.scratch + gap:
        raise _core.LimitError(f'the blocks need {decoder.scratch + gap} bytes of `scratch`, not {length}')
    decoder.decode(values, begin + gap, handle)
    return decoder.original


def scratch_bytes(blocks: Any, /, *, places: Places | None = None) -> int:
    """How much `scratch` decode_blocks() needs for these blocks, wherever it begins."""
    return _decoder(blocks, places)[0].scratch + _ALIGNMENT


def _decoder(blocks: Any, places: Places | None, stream: int = 0) -> tuple[_core.DeviceDecoder, Any]:
    """And what keeps blocks on the GPU."""
    if places is None:
        return _core.device_decoder(blocks), None
    address, room, kept = _memory_of(blocks, 'blocks', stream, reads=True)
    pairs = [(int(begin), int(length)) for begin, length in places]
    for begin, length in pairs:
        if begin < 0 or length < 1 or begin + length + _BEHIND > room:
            raise ValueError(f'a block from byte {begin} on with {length} bytes, and {_BEHIND} bytes behind it, are not within '
                             f'`blocks`, which has {room}')
    return _core.device_decoder_on_device(address, pairs), kept


def _memory_of(array: Any, name: str, stream: int = 0, *, reads: bool = False) -> tuple[int, int, Any]:
    """Address and bytes of a contiguous array on a device, writable unless tdz only reads it, and what keeps them."""
    interface = getattr(array, '__cuda_array_interface__', None)
    if interface is None:
        if not hasattr(array, '__dlpack__'):
            raise TypeError(f'`{name}` has neither __cuda_array_interface__ nor __dlpack__: it is not an array on a GPU')
        capsule = _capsule_of(array, stream)
        return *_core.dlpack_memory(capsule), capsule
    address, read_only = interface['data']
    if read_only and not reads:
        raise ValueError(f'`{name}` is read-only')
    size = _item_bytes(interface['typestr'])
    for length, stride in zip(reversed(interface['shape']), reversed(interface.get('strides') or (None,) * 99)):
        if stride is not None and stride != size and length > 1:
            raise ValueError(f'`{name}` is not contiguous')
        size *= length
    return address, size, array


def _item_bytes(typestr: str) -> int:
    """Of '<f4', '|V35', '<M8[ns]'; letters of UCS-4 are counted, not their bytes."""
    count = int(typestr[2:].partition('[')[0])
    return 4 * count if typestr[1] == 'U' else count


def _capsule_of(array: Any, stream: int) -> Any:
    """By DLPack the array's library makes `stream` wait for the work that it has on the memory."""
    if array.__dlpack_device__()[0] not in (2, 13):  # of CUDA; others take other streams
        raise TypeError('an array of DLPack is not on a GPU of CUDA')
    wanted = stream or 1  # 1: the default stream
    try:
        return array.__dlpack__(stream=wanted, max_version=(1, 0))
    except TypeError:  # of before DLPack 1.0
        return array.__dlpack__(stream=wanted)


def _bytes_like(array: Any, count: int) -> Any:
    """Device memory from the library that made the array."""
    library = type(array).__module__.partition('.')[0]
    if library == 'cupy':
        import cupy

        return cupy.empty(count, 'u1')
    if library == 'torch':
        import torch

        return torch.empty(count, dtype=torch.uint8, device=array.device)
    raise TypeError('`scratch` is missing: an array of scratch_bytes() bytes on the same GPU')


def _handle_of(stream: Any) -> int:
    if stream is None:
        return 0
    for name in 'ptr', 'cuda_stream':  # of CuPy, of PyTorch
        if hasattr(stream, name):
            return int(getattr(stream, name))
    return int(stream)
