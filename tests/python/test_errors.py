# SPDX-License-Identifier: Apache-2.0
"""Hostile blocks and streams: the right exception, bounded memory, never a crash."""

import random
import resource
import subprocess
import sys

import pytest

import tdz
from conftest import records, walk

KINDS = (tdz.CorruptError, tdz.TruncatedError, tdz.UnsupportedError, tdz.LimitError)


def test_kinds():
    for kind, usual in zip(KINDS, (ValueError, EOFError, tdz.Error, MemoryError)):
        assert issubclass(kind, tdz.Error) and issubclass(kind, usual) and kind.__module__ == 'tdz'
        assert kind.where is None
    assert issubclass(tdz.Error, Exception) and not issubclass(tdz.Error, (ValueError, OSError))


def test_where():
    block = tdz.encode_block(walk(), tdz.plan_for('i32'))
    with pytest.raises(tdz.CorruptError) as caught:
        tdz.decode_block(block + b'x')
    assert caught.value.where == len(block)
    assert 'behind the last frame' in str(caught.value)


def mutations(whole, count, seed):
    rng = random.Random(seed)
    for _ in range(count):
        data = bytearray(whole)
        for _ in range(rng.choice([1, 1, 2, 8])):
            at = rng.choice([rng.randrange(min(200, len(data))), rng.randrange(len(data))])
            data[at] = rng.choice([0, 255, data[at] ^ 1 << rng.randrange(8)])
        cut = rng.choice([None, None, rng.randrange(len(data))])
        yield bytes(data[:cut]) + rng.choice([b'', b'', b'\0', bytes(100)])


def test_damaged_blocks(plan):
    data = walk('i4', (3000,)).tobytes()
    block = tdz.encode_block(data, plan)
    caught = set()
    for damaged in mutations(block, 800, 3):
        try:
            assert tdz.decode_block(damaged, limit=1 << 20) == data
        except tdz.Error as error:
            caught.add(type(error))
        try:
            tdz.block_size(damaged)
            tdz.block_plan(damaged)
        except tdz.Error:
            pass
    assert {tdz.CorruptError, tdz.TruncatedError} <= caught <= set(KINDS)


@pytest.mark.parametrize('rows', [walk('f4', (40000,)), records(3000)], ids=['numbers', 'records'])
def test_damaged_streams(rows):
    stored = tdz.compress(rows)
    data, room = rows.tobytes(), bytearray(rows.nbytes)
    for damaged in mutations(stored, 300, 4):
        for call in (tdz.decompress, lambda file: tdz.decompress(file, out=room), tdz.check, tdz.info,
                     lambda file: tdz.open(file).read()):
            try:
                restored = call(damaged)
            except tdz.Error:
                continue
            assert not isinstance(restored, bytes) or restored.startswith(data) or set(restored) <= {0}


def test_every_prefix_is_truncated():
    block = tdz.encode_block(walk('i4', (300,)), tdz.plan_for('i32'))
    for count in range(len(block)):
        with pytest.raises(tdz.TruncatedError):
            tdz.decode_block(block[:count])
    stored = tdz.compress(walk('i4', (300,)))
    for count in range(len(stored)):
        with pytest.raises(tdz.TruncatedError):
            tdz.decompress(stored[:count])


BOMB = '''
import resource, sys, tdz
resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
bomb = sys.stdin.buffer.read()
for limit in 1000, 1 << 20:
    try:
        tdz.decode_block(bomb, limit=limit)
    except tdz.LimitError:
        pass
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    tdz.decode_block(bomb[:len(bomb) // 2])
except tdz.TruncatedError:
    pass
used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
sys.exit(used > 30000)
'''


def test_a_bomb_needs_its_limit():
    bomb = tdz.encode_block(bytes(1 << 28), tdz.plan_for('u8', 0))
    assert len(bomb) < 1 << 20
    subprocess.run([sys.executable, '-c', BOMB], input=bomb, check=True, timeout=100)


NO_ROOM = '''
import resource, sys, tdz
stored = sys.stdin.buffer.read()
resource.setrlimit(resource.RLIMIT_AS, (450 << 20, 450 << 20))
for call in (lambda: tdz.decompress(stored), lambda: tdz.open(stored).read()):
    try:
        call()
    except tdz.LimitError:
        continue
    sys.exit(1)
'''


def test_too_little_memory_is_a_limit_error():
    stored = tdz.compress(bytes(1 << 29), plan=tdz.plan_for('u8', 0))
    subprocess.run([sys.executable, '-c', NO_ROOM], input=stored, check=True, timeout=100)


def test_random_bytes_are_nothing():
    rng = random.Random(5)
    for _ in range(300):
        noise = rng.randbytes(rng.randrange(400))
        for call in tdz.decompress, tdz.decode_block, tdz.block_size, tdz.block_plan, tdz.info, tdz.check, tdz.open:
            with pytest.raises((tdz.CorruptError, tdz.TruncatedError)):
                call(noise)
