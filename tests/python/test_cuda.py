# SPDX-License-Identifier: Apache-2.0
"""Blocks into arrays on a GPU. Without one, most of this is Skipped."""

import ctypes

import numpy
import pytest

import tdz
import tdz.cuda
from conftest import walk


class Array:
    """An array of bytes at an address, as CuPy and PyTorch describe theirs."""

    def __init__(self, address, size, **other):
        self.__cuda_array_interface__ = {'shape': (size,), 'typestr': '|u1', 'data': (address, False), 'version': 3,
                                         **other}


class Driver:
    """Memory of the first GPU, through the driver's own library."""

    def __init__(self):
        self._library = ctypes.CDLL('libcuda.so.1')
        context = ctypes.c_void_p()
        self._call('cuInit', 0)
        self._call('cuDevicePrimaryCtxRetain', ctypes.byref(context), 0)
        self._call('cuCtxSetCurrent', context)
        self._all = []

    def _call(self, name, *arguments):
        code = getattr(self._library, name)(*arguments)
        assert code == 0, (name, code)

    def array(self, size):
        address = ctypes.c_uint64()
        self._call('cuMemAlloc_v2', ctypes.byref(address), ctypes.c_size_t(size))
        self._all.append(address)
        return Array(address.value, size)

    def read(self, array, size):
        into = ctypes.create_string_buffer(size)
        address = array.__cuda_array_interface__['data'][0]
        self._call('cuMemcpyDtoH_v2', into, ctypes.c_uint64(address), ctypes.c_size_t(size))
        return into.raw

    def free(self):
        for address in self._all:
            self._call('cuMemFree_v2', address)


@pytest.fixture
def gpu():
    if tdz.cuda.device_count() == 0:
        pytest.skip('no GPU, or a build without CUDA')
    driver = Driver()
    yield driver
    driver.free()


@pytest.fixture(scope='module')
def blocks():
    chunks = [walk('i4', (300000,), seed) for seed in range(4)]
    plans = [tdz.plan(chunks[0], gpu=True), tdz.plan_for('i32'), tdz.plan(chunks[2]), tdz.plan_for('bytes', 0)]
    return [tdz.encode_block(*pair) for pair in zip(chunks, plans)], b''.join(chunk.tobytes() for chunk in chunks)


def test_without_a_gpu(blocks):
    if tdz.cuda.device_count() > 0:
        pytest.skip('there is one')
    with pytest.raises(tdz.UnsupportedError):
        tdz.cuda.decode_blocks(blocks[0], Array(0, len(blocks[1])))


def test_arguments_that_describe_no_device_memory():
    from tdz.cuda import _handle_of, _memory_of
    assert _memory_of(Array(512, 12), 'out') == (512, 12)
    assert _memory_of(Array(512, 0, shape=(3, 4), typestr='<f8', strides=None), 'out') == (512, 96)
    assert _memory_of(Array(512, 0, shape=(3, 4), typestr='<f8', strides=(32, 8)), 'out') == (512, 96)
    assert _memory_of(Array(512, 0, shape=(0, 4), typestr='<f8'), 'out') == (512, 0)
    with pytest.raises(TypeError, match='no array on a GPU'):
        _memory_of(numpy.zeros(3), 'out')
    with pytest.raises(ValueError, match='contiguous'):
        _memory_of(Array(512, 0, shape=(3, 4), typestr='<f8', strides=(8, 24)), 'out')
    with pytest.raises(ValueError, match='read-only'):
        _memory_of(Array(512, 0, data=(512, True)), 'out')

    class Stream:
        ptr = 77

    assert (_handle_of(None), _handle_of(5), _handle_of(Stream)) == (0, 5, 77)
    for wrong in 3, [3], 'text', [None]:
        with pytest.raises(TypeError):
            tdz.cuda.decode_blocks(wrong, Array(512, 1))


def test_round_trip(gpu, blocks):
    stored, original = blocks
    out, scratch = gpu.array(len(original) + 100), gpu.array(tdz.cuda.scratch_bytes(stored))
    assert tdz.cuda.decode_blocks(stored, out, scratch=scratch) == len(original)
    assert gpu.read(out, len(original)) == original


def test_too_little_memory(gpu, blocks):
    stored, original = blocks
    scratch = gpu.array(tdz.cuda.scratch_bytes(stored))
    with pytest.raises(tdz.LimitError, match='out'):
        tdz.cuda.decode_blocks(stored, gpu.array(len(original) - 1), scratch=scratch)
    with pytest.raises(tdz.LimitError, match='scratch'):
        tdz.cuda.decode_blocks(stored, gpu.array(len(original)), scratch=gpu.array(100))
    with pytest.raises(TypeError, match='scratch'):
        tdz.cuda.decode_blocks(stored, gpu.array(len(original)))


def test_damaged_blocks(gpu, blocks):
    stored, original = blocks
    out, scratch = gpu.array(len(original)), gpu.array(2 * tdz.cuda.scratch_bytes(stored))
    damaged = bytearray(stored[0])
    damaged[-100] ^= 1
    with pytest.raises(tdz.CorruptError):
        tdz.cuda.decode_blocks([bytes(damaged), *stored[1:]], out, scratch=scratch)
    with pytest.raises(tdz.TruncatedError):
        tdz.cuda.decode_blocks([stored[0][:-1]], out, scratch=scratch)
    assert tdz.cuda.decode_blocks(stored, out, scratch=scratch) == len(original)


@pytest.mark.parametrize('library', ['cupy', 'torch'])
def test_arrays_of_libraries(gpu, blocks, library):
    module = pytest.importorskip(library)
    stored, original = blocks
    if library == 'cupy':
        out = module.zeros(len(original) // 4, 'i4')
        stream = module.cuda.Stream()
        tdz.cuda.decode_blocks(stored, out, stream=stream)
        assert out.get().tobytes() == original
    else:
        out = module.zeros(len(original) // 4, dtype=module.int32, device='cuda')
        tdz.cuda.decode_blocks(stored, out, stream=module.cuda.current_stream())
        assert out.cpu().numpy().tobytes() == original
