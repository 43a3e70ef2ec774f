# SPDX-License-Identifier: Apache-2.0
"""Hostile blocks and streams: the right exception, bounded memory, never a crash."""

import io
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


# ---- Limits of the output

def test_max_output():
    numbers = walk('i4', (50000,))
    stored = tdz.compress(numbers)
    twice, exact = stored + stored, numbers.nbytes
    assert tdz.decompress(stored, max_output=exact) == numbers.tobytes()
    assert tdz.check(stored, max_output=exact) == exact
    assert tdz.open(io.BytesIO(stored), max_output=exact).read() == numbers.tobytes()
    out = bytearray(2 * exact)
    assert tdz.decompress(stored, out=out, max_output=exact) == exact
    for data, limit in (stored, exact - 1), (twice, exact), (stored, 1):
        for call in (
            lambda: tdz.decompress(data, max_output=limit),
            lambda: tdz.decompress(data, out=out, max_output=limit),
            lambda: tdz.check(data, max_output=limit),
            lambda: tdz.check(Pipe(data), max_output=limit),
            lambda: tdz.open(io.BytesIO(data), max_output=limit),
            lambda: tdz.open(Pipe(data), max_output=limit).read(),
        ):
            with pytest.raises(tdz.LimitError, match=f'the original is longer than the limit of {limit} bytes'):
                call()


class Pipe:
    """An object with read() alone."""

    def __init__(self, data):
        self.read = io.BytesIO(data).read


def test_max_output_is_a_number_of_bytes(tmp_path):
    stored = tdz.compress(b'abc')
    for wrong in 0, -1, 1 << 64, 1.5, '1':
        for call in (
            lambda: tdz.decompress(stored, max_output=wrong),
            lambda: tdz.open(io.BytesIO(stored), max_output=wrong),
            lambda: tdz.check(stored, max_output=wrong),
        ):
            with pytest.raises((ValueError, TypeError)):
                call()
    assert tdz.decompress(stored, max_output=(1 << 64) - 1) == b'abc'
    with pytest.raises(ValueError, match='for reading'):
        tdz.open(tmp_path / 'new.tdz', 'wb', max_output=5)
    assert not list(tmp_path.iterdir())


FEW_BYTES_FREE = '''
import io, resource, sys, threading, tdz
stored, length = sys.stdin.buffer.read(), 120 << 20
class Pipe:
    def __init__(self): self.read = io.BytesIO(stored).read
resource.setrlimit(resource.RLIMIT_AS, (100 << 20, resource.RLIM_INFINITY))
assert tdz._core.available_memory() <= 100 << 20
for call in lambda: tdz.decompress(stored, threads=1), lambda: tdz.open(io.BytesIO(stored), threads=1).read():
    try:
        call()
    except tdz.LimitError as error:
        assert 'free memory; `max_output` allows more' in str(error), error
    else:
        sys.exit('no limit')
resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
assert len(tdz.decompress(stored, max_output=length)) == length
assert len(tdz.open(io.BytesIO(stored), max_output=length).read()) == length
assert tdz.check(stored) == length
tdz._core.available_memory = lambda: 100 << 20
try:
    tdz.open(Pipe()).read()
except tdz.LimitError as error:
    assert 'free memory' in str(error), error
else:
    sys.exit('no limit of a pipe')
assert len(tdz.open(Pipe(), max_output=length).read()) == length
with tdz.open(Pipe()) as file:
    assert sum(len(piece) for piece in iter(lambda: file.read(1 << 20), b'')) == length
'''


def test_without_a_limit_the_free_memory_is_the_limit():
    stored = tdz.compress(bytes(120 << 20), plan=tdz.plan_for('u8', 0))
    subprocess.run([sys.executable, '-c', FEW_BYTES_FREE], input=stored, check=True, timeout=100)
