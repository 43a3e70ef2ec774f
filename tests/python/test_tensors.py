# SPDX-License-Identifier: Apache-2.0
"""tdz.tensors and tdz.load(tensor=..): one tensor of a safetensors file without the others, and headers that lie."""

import contextlib
import io
import json
import subprocess
import sys
import tracemalloc

import numpy
import pytest

import tdz

OTHER_NAMES = {'BF16': 'u2', 'F8_E4M3': 'u1'}


def weights(shape, seed):
    return numpy.random.default_rng(seed).normal(0, 0.02, shape).astype('f4')


#: name: (dtype of safetensors, the bits as an array)
MODEL = {
    'embed.weight': ('BF16', (weights((900, 700), 1).view('u4') >> 16).astype('u2')),
    'layer.0.weight': ('F32', weights((700, 800), 2)),
    'layer.0.scale': ('F8_E4M3', numpy.arange(251, dtype='u1')),
    'positions': ('I64', numpy.arange(100000).reshape(5, -1, 2)),
    'step': ('F64', numpy.array(2.5)),
    'none': ('F16', numpy.zeros((0, 7), 'f2')),
    'mask': ('BOOL', numpy.arange(1001) % 3 == 0),
}


def file_of(header, data=b''):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(text).to_bytes(8, 'little') + text + data


def header_of(model):
    header, at = {'__metadata__': {'format': 'np'}}, 0
    for name, (dtype, array) in model.items():
        header[name] = {'dtype': dtype, 'shape': list(array.shape), 'data_offsets': [at, at + array.nbytes]}
        at += array.nbytes
    return header


def safetensors_of(model):
    return file_of(header_of(model), b''.join(array.tobytes() for _, array in model.values()))


@pytest.fixture(scope='module')
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp('model') / 'model.safetensors.tdz'
    with tdz.open(path, 'wb', chunk=1 << 18) as file:
        file.write(safetensors_of(MODEL))
    return path


class CountingFile(io.FileIO):
    count = 0

    def read(self, size=-1):
        got = super().read(size)
        self.count += len(got)
        return got


# ---- What is there

def test_the_list_says_what_the_header_says(path):
    original = safetensors_of(MODEL)
    found = tdz.tensors(path)
    assert list(found) == list(MODEL)
    for name, (dtype, array) in MODEL.items():
        tensor = found[name]
        assert (tensor.dtype, tensor.shape, tensor.nbytes) == (dtype, array.shape, array.nbytes)
        assert original[tensor.offset:tensor.offset + tensor.nbytes] == array.tobytes()


@pytest.mark.parametrize('name', MODEL)
def test_a_tensor_is_what_was_saved(path, name):
    dtype, array = MODEL[name]
    found = tdz.load(path, tensor=name)
    assert found.shape == array.shape and found.tobytes() == array.tobytes()
    assert dtype in OTHER_NAMES or found.dtype == array.dtype
    lazy = tdz.load(path, tensor=name, lazy=True)
    assert lazy.shape == array.shape and numpy.asarray(lazy).tobytes() == array.tobytes()
    if array.ndim == 2 and array.size:
        assert lazy[5:9, ::3].tobytes() == array[5:9, ::3].tobytes()


def test_from_bytes_and_objects_too(path):
    stored = path.read_bytes()
    wanted = MODEL['positions'][1]
    assert (tdz.load(stored, tensor='positions') == wanted).all()
    assert (tdz.load(io.BytesIO(stored), tensor='positions') == wanted).all()
    assert tdz.tensors(stored) == tdz.tensors(path)


def test_a_long_list_of_large_lengths_is_refused_at_once():
    header = {'x': {'dtype': 'F32', 'shape': [(1 << 63) - 1] * 40000, 'data_offsets': [0, 4]}}
    with pytest.raises(tdz.CorruptError, match='another length'):
        tdz.tensors(tdz.compress(file_of(header, bytes(4))))
    header['x']['shape'] = [(1 << 63) - 1] * 10 + [0]  # no numbers at all, whatever the others are
    header['x']['data_offsets'] = [0, 0]
    assert tdz.tensors(tdz.compress(file_of(header)))['x'].nbytes == 0


def test_blanks_escapes_and_metadata():
    header = (
        b'{ "__metadata__" : { "a\\"}" : "\\\\" ,\n"b":"\\\\\\"{" } , "\\u00e4\\"\xc3\xa4" :\t'
        b'{"shape":[ 2 ], "dtype":"U8","data_offsets":[0,2]}\r, "":{"dtype":"U8","shape":[0],"data_offsets":[2,2]} }   '
    )
    stored = tdz.compress(file_of(header, b'xy'))
    assert list(tdz.tensors(stored)) == ['\u00e4"\u00e4', '']
    assert tdz.load(stored, tensor='\u00e4"\u00e4').tolist() == list(b'xy')
    assert tdz.tensors(tdz.compress(file_of(b'{ }'))) == {}


@pytest.mark.parametrize('header', [
    b','.join(b'"%d":{"dtype":"U8","shape":[1],"data_offsets":[%d,%d]}' % (i, i, i + 1) for i in range(1 << 15)),
    b'"__metadata__":{' + b'"":"",' * (1 << 18) + b'"":""}',
    b'"a":{"dtype":"U8","shape":[' + b'[],' * (1 << 21) + b'],"data_offsets":[0,1]}',
    b'"__metadata__":{"":[' + b'[],' * (1 << 21) + b'[]]}',
], ids=['tensors', 'metadata', 'a shape of lists', 'metadata of lists'])
def test_memory_grows_no_faster_than_the_header(header):
    """Of a header of 2 to 6 MB: no copy of all of it as objects of Python."""
    stored = tdz.compress(file_of(b'{' + header + b'}', bytes(1 << 15)), effort='fastest')
    tracemalloc.start()
    try:
        with contextlib.suppress(tdz.CorruptError, tdz.LimitError):
            tdz.tensors(stored)
        assert tracemalloc.get_traced_memory()[1] < 12 * len(header)
    finally:
        tracemalloc.stop()


def test_a_header_in_another_encoding_is_refused():
    header = {'x': {'dtype': 'U8', 'shape': [1], 'data_offsets': [0, 1]}}
    text = json.dumps(header).encode('utf-16-le')
    with pytest.raises((tdz.CorruptError, ValueError)):
        tdz.tensors(tdz.compress(file_of(text, bytes(1))))


def test_safetensors_reads_the_same(path):
    numbers = pytest.importorskip('safetensors.numpy')
    model = {name: array for name, (dtype, array) in MODEL.items() if dtype not in OTHER_NAMES}
    stored = tdz.compress(numbers.save(model))
    assert set(tdz.tensors(stored)) == set(model)
    for name, array in model.items():
        found = tdz.load(stored, tensor=name)
        assert found.dtype == array.dtype and found.shape == array.shape and (found == array).all()


def test_floats_of_ml_dtypes_if_it_is_installed(path):
    ml_dtypes = pytest.importorskip('ml_dtypes')
    found = tdz.load(path, tensor='embed.weight')
    assert found.dtype == ml_dtypes.bfloat16
    assert (found.view('u2') == MODEL['embed.weight'][1]).all()
    assert tdz.load(path, tensor='layer.0.scale').dtype == ml_dtypes.float8_e4m3fn


def test_and_integers_if_not(path):
    program = (
        'import sys; sys.modules["ml_dtypes"] = None\n'
        'import tdz\n'
        'print(tdz.load(sys.argv[1], tensor="embed.weight").dtype, tdz.load(sys.argv[1], tensor="layer.0.scale").dtype)'
    )
    said = subprocess.run([sys.executable, '-c', program, path], capture_output=True, text=True, check=True).stdout
    assert said.split() == ['uint16', 'uint8']


def test_only_its_chunks_are_read(path):
    with CountingFile(path) as file:
        tdz.tensors(file)
        for_header = file.count
    with CountingFile(path) as file:
        tdz.load(file, tensor='layer.0.scale')
        assert file.count - for_header < 2 << 18  # at most two chunks, which hold 251 bytes
    assert for_header < path.stat().st_size / 4


# ---- What is not there

def test_a_name_that_is_missing(path):
    with pytest.raises(KeyError, match="no tensor 'embed.weights'; is 'embed.weight' meant"):
        tdz.load(path, tensor='embed.weights')
    with pytest.raises(KeyError, match='7 tensors'):
        tdz.load(path, tensor='qq', lazy=True)


def test_a_file_that_is_no_safetensors_file(tmp_path):
    tdz.save(tmp_path / 'a.npy.tdz', numpy.arange(1000))
    for stored in (tmp_path / 'a.npy.tdz', tdz.compress(b''), tdz.compress(b'\0' * 8), tdz.compress(b'{' * 100)):
        with pytest.raises((ValueError, tdz.TruncatedError), match='safetensors file'):
            tdz.tensors(stored)
        with pytest.raises((ValueError, tdz.TruncatedError), match='safetensors file'):
            tdz.load(stored, tensor='a')


def test_a_pipe_cannot_be_searched(path):
    class Pipe:
        def read(self, size):
            return b''

    with pytest.raises(io.UnsupportedOperation):
        tdz.load(Pipe(), tensor='a')
    with pytest.raises(io.UnsupportedOperation):
        tdz.tensors(Pipe())


def test_a_dtype_that_numpy_does_not_have():
    stored = tdz.compress(file_of({'a': {'dtype': 'F4', 'shape': [4], 'data_offsets': [0, 2]}}, b'ab'))
    assert tdz.tensors(stored)['a'].nbytes == 2
    with pytest.raises(tdz.UnsupportedError, match='F4'):
        tdz.load(stored, tensor='a')


# ---- Headers that lie

def lie(**changes):
    header = {'a': {'dtype': 'F32', 'shape': [2], 'data_offsets': [0, 8]}, 'b': {'dtype': 'U8', 'shape': [8], 'data_offsets': [8, 16]}}
    for name, (member, value) in changes.items():
        header[name][member] = value
    return file_of(header, bytes(16))


LIES = {
    'offsets out of the file': (lie(b=('data_offsets', [8, 1 << 40])), tdz.CorruptError),
    'a tensor out of the file': (file_of({'a': {'dtype': 'U8', 'shape': [99], 'data_offsets': [0, 99]}}, b'x'), tdz.TruncatedError),
    'overlapping': (lie(b=('data_offsets', [4, 12])), tdz.CorruptError),
    'the same place': (lie(b=('data_offsets', [0, 8])), tdz.CorruptError),
    'a gap': (lie(b=('data_offsets', [9, 17])), tdz.CorruptError),
    'backwards': (lie(b=('data_offsets', [16, 8])), tdz.CorruptError),
    'a dtype of another width': (lie(a=('dtype', 'F64')), tdz.CorruptError),
    'a dtype that is no text': (lie(a=('dtype', 4)), tdz.CorruptError),
    'a shape that is too large': (lie(a=('shape', [1 << 62, 1 << 62])), tdz.CorruptError),
    'a shape below zero': (lie(a=('shape', [-1, -2])), tdz.CorruptError),
    'a shape of no integers': (lie(a=('shape', [2.0])), tdz.CorruptError),
    'one offset': (lie(a=('data_offsets', [0])), tdz.CorruptError),
    'true for one': (lie(a=('data_offsets', [False, 8])), tdz.CorruptError),
    'bytes after the last tensor': (lie() + b'x', tdz.CorruptError),
    'no object': (file_of(b'{}'.replace(b'}', b''), b''), tdz.CorruptError),
    'a name twice': (file_of(b'{"a":{"dtype":"U8","shape":[],"data_offsets":[0,1]},"a":{"dtype":"U8","shape":[],"data_offsets":[0,1]}}', b'x'),
                     tdz.CorruptError),
    'deep': (file_of(b'{"a":' + b'[' * 100000, b''), tdz.CorruptError),
    'no UTF-8': (file_of(b'{"\xff":1}', b''), tdz.CorruptError),
    'a header beyond the end': ((1 << 60).to_bytes(8, 'little') + b'{}', tdz.TruncatedError),
    'a header of 101 MB': (file_of(b'{' + b' ' * 101_000_000 + b'}', b''), tdz.LimitError),
    'an entry without end': (file_of(b'{"a":{"dtype":"U8","shape":[' + b'1,' * 600_000, b''), tdz.LimitError),
    'a long name': (file_of(b'{"' + b'n' * 1_100_000 + b'":{', b''), tdz.LimitError),
    'a name without end': (file_of(b'{"a\\"', b''), tdz.CorruptError),
    'no value': (file_of(b'{"a"}', b''), tdz.CorruptError),
    'a comma too many': (file_of(b'{"a":{"dtype":"U8","shape":[],"data_offsets":[0,1]},}', b'x'), tdz.CorruptError),
    'no comma': (file_of(b'{"a":{"dtype":"U8","shape":[],"data_offsets":[0,1]}"b":{}}', b'x'), tdz.CorruptError),
    'text after its end': (file_of(b'{"a":{"dtype":"U8","shape":[],"data_offsets":[0,1]}}x', b'x'), tdz.CorruptError),
    'metadata of numbers': (file_of(b'{"__metadata__":{"n":1},"a":{"dtype":"U8","shape":[],"data_offsets":[0,1]}}', b'x'), tdz.CorruptError),
    'metadata twice': (file_of(b'{"__metadata__":{},"__metadata__":{}}', b''), tdz.CorruptError),
    'more axes than numpy has': (file_of({'a': {'dtype': 'U8', 'shape': [1] * 200, 'data_offsets': [0, 1]}}, b'x'), tdz.UnsupportedError),
}


@pytest.mark.parametrize('name', LIES)
def test_lies(name):
    original, error = LIES[name]
    with pytest.raises(error):
        tdz.load(tdz.compress(original, effort='fastest'), tensor='a')


def test_the_truth_beside_the_lies():
    assert tdz.load(tdz.compress(lie()), tensor='a').tolist() == [0, 0]


def test_more_than_max_output(path):
    with pytest.raises(tdz.LimitError):
        tdz.load(path, tensor='step', max_output=1000)
