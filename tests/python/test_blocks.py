# SPDX-License-Identifier: Apache-2.0
"""Lone blocks: every kind of buffer in and out."""

import array
import ctypes
import mmap

import numpy
import pytest

import tdz
from conftest import records, walk


def test_round_trip(plan):
    data = walk()
    block = tdz.encode_block(data, plan)
    assert len(block) <= tdz.block_bound(data.nbytes)
    assert tdz.block_size(block) == data.nbytes
    assert tdz.decode_block(block) == data.tobytes()


@pytest.mark.parametrize('length', [1, 2, 3, 7, 8, 9, 4095, 4096, 65537])
def test_any_length(plan, length):
    data = walk().tobytes()[:length]
    assert tdz.decode_block(tdz.encode_block(data, plan)) == data


def test_same_bytes_every_time(plan):
    assert tdz.encode_block(walk(), plan) == tdz.encode_block(walk(), plan)


def test_plan_of_a_block(plan):
    found = tdz.block_plan(tdz.encode_block(walk(), plan))
    assert found.record_bytes == plan.record_bytes
    assert found.level == 3


def buffers(data):
    yield 'bytes', bytes(data)
    yield 'bytearray', bytearray(data)
    yield 'memoryview', memoryview(data)
    yield 'memoryview of int', memoryview(data).cast('i')
    yield 'array', array.array('i', data)
    yield 'ctypes', (ctypes.c_int * (len(data) // 4)).from_buffer_copy(data)
    yield 'numpy', numpy.frombuffer(data, 'i4')
    yield 'numpy 2d', numpy.frombuffer(data, 'i4').reshape(50, -1)
    yield 'Fortran', numpy.frombuffer(data, 'i4').reshape(50, -1).T
    pages = mmap.mmap(-1, len(data))
    pages[:] = data
    yield 'mmap', pages


def test_any_buffer(plan):
    data = walk().tobytes()
    wanted = tdz.encode_block(data, plan)
    for name, buffer in buffers(data):
        assert tdz.encode_block(buffer, plan) == wanted, name
    for name, buffer in buffers(data):
        if name not in ('bytes', 'memoryview', 'memoryview of int', 'numpy', 'numpy 2d', 'Fortran'):
            assert tdz.decode_block(wanted, out=buffer) == len(data), name
            assert bytes(memoryview(buffer).cast('B')) == data, name


def test_out(plan):
    data = walk()
    block = bytearray(tdz.block_bound(data.nbytes) + 100)
    length = tdz.encode_block(data, plan, out=block)
    assert block[:length] == tdz.encode_block(data, plan)
    restored = numpy.zeros_like(data)
    assert tdz.decode_block(memoryview(block)[:length], out=restored) == data.nbytes
    assert (restored == data).all()
    roomy = bytearray(b'x' * (data.nbytes + 5))
    assert tdz.decode_block(block[:length], out=roomy) == data.nbytes
    assert roomy == data.tobytes() + b'x' * 5


def test_out_too_short(plan):
    block = tdz.encode_block(walk(), plan)
    with pytest.raises(tdz.LimitError):
        tdz.encode_block(walk(), plan, out=bytearray(len(block) - 1))
    assert tdz.encode_block(walk(), plan, out=bytearray(len(block))) == len(block)
    with pytest.raises(tdz.LimitError):
        tdz.decode_block(block, out=bytearray(walk().nbytes - 1))


@pytest.mark.parametrize('out', [b'x' * 300000, memoryview(bytes(300000))])
def test_read_only_out(out):
    plan = tdz.plan_for('i32')
    with pytest.raises(ValueError, match='read-only'):
        tdz.encode_block(walk(), plan, out=out)
    with pytest.raises(ValueError, match='read-only'):
        tdz.decode_block(tdz.encode_block(walk(), plan), out=out)
    frozen = numpy.zeros(300000, 'u1')
    frozen.flags.writeable = False
    with pytest.raises(ValueError, match='read-only'):
        tdz.decode_block(tdz.encode_block(walk(), plan), out=frozen)


def test_shared_memory_is_refused():
    plan, memory = tdz.plan_for('i32'), bytearray(400000)
    with pytest.raises(ValueError, match='share'):
        tdz.encode_block(memory, plan, out=memory)
    length = tdz.encode_block(walk(), plan, out=memory)
    with pytest.raises(ValueError, match='share'):
        tdz.decode_block(memoryview(memory)[:length], out=memory)


def test_limit():
    block = tdz.encode_block(bytes(1000), tdz.plan_for('u8'))
    assert tdz.decode_block(block, limit=1000) == bytes(1000)
    with pytest.raises(tdz.LimitError, match='1000'):
        tdz.decode_block(block, limit=999)
    with pytest.raises(ValueError):
        tdz.decode_block(block, limit=-1)


def test_nothing_is_no_block():
    with pytest.raises(ValueError, match='no bytes'):
        tdz.encode_block(b'', tdz.plan_for('u8'))
    with pytest.raises(tdz.TruncatedError):
        tdz.decode_block(b'')
    with pytest.raises(tdz.TruncatedError):
        tdz.block_size(b'')
    for wrong in 0, -1, 2**30 + 1, 2**64, -2**64:
        with pytest.raises((ValueError, OverflowError)):
            tdz.block_bound(wrong)


def test_records():
    rows = records()
    plan = tdz.plan(rows)
    assert plan.record_bytes == rows.itemsize
    assert tdz.decode_block(tdz.encode_block(rows, plan)) == rows.tobytes()


def test_a_chunk_cut_out_of_a_stream_is_a_block():
    data = walk()
    stored = tdz.compress(data)
    chunk = tdz.info(stored, chunks=True)['streams'][0]['chunk_list'][0]
    begin = chunk['stored_offset']
    assert tdz.decode_block(memoryview(stored)[begin:begin + chunk['stored_bytes']]) == data.tobytes()


def test_usage():
    plan = tdz.plan_for('i32')
    for call in (lambda: tdz.encode_block(walk()), lambda: tdz.encode_block(walk(), 3),
                 lambda: tdz.encode_block(walk(), None), lambda: tdz.encode_block('text', plan),
                 lambda: tdz.encode_block(3, plan), lambda: tdz.encode_block(numpy.array([None]), plan),
                 lambda: tdz.encode_block([1, 2], plan), lambda: tdz.decode_block('text'),
                 lambda: tdz.decode_block(None), lambda: tdz.encode_block(data=walk(), plan=plan),
                 lambda: tdz.encode_block(walk(), plan, out=3), lambda: tdz.block_bound('x')):
        with pytest.raises(TypeError):
            call()
    for strided in (walk()[::2], walk().reshape(100, -1)[:, :3], walk()[::-1]):
        with pytest.raises(ValueError, match='contiguous'):
            tdz.encode_block(strided, plan)
        with pytest.raises(ValueError, match='contiguous'):
            tdz.decode_block(tdz.encode_block(walk(), plan), out=strided)
