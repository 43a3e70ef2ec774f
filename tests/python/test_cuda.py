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

    def write(self, array, content):
        address = array.__cuda_array_interface__['data'][0]
        self._call('cuMemcpyHtoD_v2', ctypes.c_uint64(address), content, ctypes.c_size_t(len(content)))

    def free(self):
        for address in self._all:
            self._call('cuMemFree_v2', address)


@pytest.fixture
def gpu():
    if tdz.cuda.device_count() == 0:
        pytest.skip('no GPU, or no libtdz_cuda.so')
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
    assert _memory_of(Array(512, 12), 'out')[:2] == (512, 12)
    assert _memory_of(Array(512, 0, shape=(3, 4), typestr='<f8', strides=None), 'out')[:2] == (512, 96)
    assert _memory_of(Array(512, 0, shape=(3, 4), typestr='<f8', strides=(32, 8)), 'out')[:2] == (512, 96)
    assert _memory_of(Array(512, 0, shape=(0, 4), typestr='<f8'), 'out')[:2] == (512, 0)
    for typestr, size in {'<M8[ns]': 8, '>m8[25us]': 8, '|V35': 35, '<U3': 12, '|S5': 5, '<f1': 1, '<V2': 2, '|b1': 1, '<c16': 16}.items():
        assert _memory_of(Array(512, 0, shape=(3, 4), typestr=typestr), 'out')[:2] == (512, 12 * size)
    with pytest.raises(TypeError, match='not an array on a GPU'):
        _memory_of(bytearray(3), 'out')
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


class Tensor(ctypes.Structure):
    """DLTensor of DLPack, of four dimensions at most."""

    _fields_ = [('data', ctypes.c_void_p), ('device', ctypes.c_int32 * 2), ('ndim', ctypes.c_int32), ('code', ctypes.c_uint8),
                ('bits', ctypes.c_uint8), ('lanes', ctypes.c_uint16), ('shape', ctypes.POINTER(ctypes.c_int64)),
                ('strides', ctypes.POINTER(ctypes.c_int64)), ('byte_offset', ctypes.c_uint64)]


class Versioned(ctypes.Structure):
    _fields_ = [('version', ctypes.c_uint32 * 2), ('context', ctypes.c_void_p), ('deleter', ctypes.c_void_p),
                ('flags', ctypes.c_uint64), ('tensor', Tensor)]


class Dlpack:
    """An array of f64 at an address, as libraries describe it that have no __cuda_array_interface__."""

    def __init__(self, address, shape, strides=None, device=2, offset=0, version=None, flags=0):
        numbers = ctypes.c_int64 * max(1, len(shape))
        tensor = Tensor(address, (device, 0), len(shape), 2, 64, 1, numbers(*shape),
                        numbers(*strides) if strides else None, offset)
        self._name = b'dltensor_versioned' if version else b'dltensor'
        self._all = Versioned((version, 0), None, None, flags, tensor) if version else tensor
        self.stream = None

    def __dlpack_device__(self):
        return 2, 0

    def __dlpack__(self, stream=None, **max_version):
        if max_version and self._name == b'dltensor':
            raise TypeError('of an old library')
        self.stream = stream
        make = ctypes.pythonapi.PyCapsule_New
        make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return make(ctypes.addressof(self._all), self._name, None)


def test_arrays_of_dlpack():
    from tdz.cuda import _memory_of
    for version in None, 1:
        assert _memory_of(Dlpack(512, (3, 4), version=version), 'out')[:2] == (512, 96)
        assert _memory_of(Dlpack(512, (3, 4), (4, 1), offset=64, version=version), 'out')[:2] == (576, 96)
        assert _memory_of(Dlpack(512, (0, 4), version=version), 'out')[:2] == (512, 0)
        assert _memory_of(Dlpack(512, (), version=version), 'out')[:2] == (512, 8)
        with pytest.raises(ValueError, match='contiguous'):
            _memory_of(Dlpack(512, (3, 4), (1, 3), version=version), 'out')
        with pytest.raises(TypeError, match='GPU'):
            _memory_of(Dlpack(512, (3,), device=1, version=version), 'out')
    with pytest.raises(ValueError, match='read-only'):
        _memory_of(Dlpack(512, (3,), version=1, flags=1), 'out')
    with pytest.raises(TypeError, match='version'):
        _memory_of(Dlpack(512, (3,), version=2), 'out')
    if hasattr(numpy.ndarray, '__dlpack__'):
        with pytest.raises(TypeError, match='GPU'):
            _memory_of(numpy.zeros(3), 'out')
    for stream, asked in (0, 1), (77, 77):
        array = Dlpack(512, (3,))
        _memory_of(array, 'out', stream)
        assert array.stream == asked


def test_round_trip(gpu, blocks):
    stored, original = blocks
    out, scratch = gpu.array(len(original) + 100), gpu.array(tdz.cuda.scratch_bytes(stored))
    assert tdz.cuda.decode_blocks(stored, out, scratch=scratch) == len(original)
    assert gpu.read(out, len(original)) == original


def test_blocks_on_the_gpu(gpu, blocks):
    stored, original = blocks
    gap, places, content = b'gap', [], b''
    for block in stored:
        content += gap
        places.append((len(content), len(block)))
        content += block
    there = gpu.array(len(content) + 64)
    gpu.write(there, content)
    out, scratch = gpu.array(len(original)), gpu.array(tdz.cuda.scratch_bytes(there, places=places))
    assert tdz.cuda.decode_blocks(there, out, places=places, scratch=scratch) == len(original)
    assert gpu.read(out, len(original)) == original
    assert tdz.cuda.decode_blocks(there, out, places=places[1:2], scratch=scratch) == 1200000
    assert gpu.read(out, 1200000) == original[1200000:2400000]
    with pytest.raises(tdz.TruncatedError):
        tdz.cuda.decode_blocks(there, out, places=[(places[0][0], places[0][1] - 1)], scratch=scratch)
    with pytest.raises(tdz.CorruptError):
        tdz.cuda.decode_blocks(there, out, places=[(0, places[0][1])], scratch=scratch)


def test_places_beyond_the_array():
    memory = Array(512, 1000)
    for places in [(0, 937)], [(0, 10), (950, 1)], [(-1, 10)], [(0, 0)]:
        with pytest.raises(ValueError, match='blocks'):
            tdz.cuda.decode_blocks(memory, memory, places=places)
    for places in 3, [3], [(1,)], [('a', 'b')]:
        with pytest.raises((TypeError, ValueError)):
            tdz.cuda.decode_blocks(memory, memory, places=places)
    with pytest.raises(TypeError, match='GPU'):
        tdz.cuda.decode_blocks(b'0' * 1000, memory, places=[(0, 10)])


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


class OnlyDlpack:
    """Of an array on a GPU, what DLPack has of it."""

    def __init__(self, array):
        self.__dlpack__, self.__dlpack_device__ = array.__dlpack__, array.__dlpack_device__


@pytest.mark.parametrize('only_dlpack', [False, True])
@pytest.mark.parametrize('library', ['cupy', 'torch'])
def test_arrays_of_libraries(gpu, blocks, library, only_dlpack):
    module = pytest.importorskip(library)
    stored, original = blocks
    wrap = OnlyDlpack if only_dlpack else lambda array: array
    if library == 'cupy':
        out, stream = module.zeros(len(original) // 4, 'i4'), module.cuda.Stream()
        scratch = module.empty(tdz.cuda.scratch_bytes(stored), 'u1') if only_dlpack else None
        module.cuda.get_current_stream().synchronize()
    else:
        out, stream = module.zeros(len(original) // 4, dtype=module.int32, device='cuda'), module.cuda.Stream()
        scratch = module.empty(tdz.cuda.scratch_bytes(stored), dtype=module.uint8, device='cuda') if only_dlpack else None
        module.cuda.synchronize()
    written = tdz.cuda.decode_blocks(stored, wrap(out), scratch=None if scratch is None else wrap(scratch), stream=stream)
    assert written == len(original)
    assert (out.get() if library == 'cupy' else out.cpu().numpy()).tobytes() == original
