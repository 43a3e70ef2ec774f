# SPDX-License-Identifier: Apache-2.0
"""tdz.open: file objects that read at any offset, and files that are written as a whole or not at all."""

import io
import os
import pathlib
import random
import runpy
import stat
import subprocess
import sys
import threading

import numpy
import pytest

import tdz
from conftest import in_threads, records, walk


@pytest.fixture(scope='module')
def numbers():
    return walk('f4', (1000000,))


@pytest.fixture
def path(tmp_path):
    return tmp_path / 'numbers.tdz'


@pytest.fixture
def written(path, numbers):
    with tdz.open(path, 'wb') as file:
        file.write(numbers)
    return path


def names(path):
    return sorted(os.listdir(path.parent))


def test_round_trip(written, numbers):
    with tdz.open(written) as file:
        assert file.read() == numbers.tobytes()
        assert file.read() == b'' and file.read(5) == b''
    assert names(written) == ['numbers.tdz']
    assert tdz.info(written)['streams'][0]['type'].startswith('f32')


def test_reads_like_a_file(written, numbers):
    plain = io.BytesIO(numbers.tobytes())
    rng = random.Random(1)
    with tdz.open(written) as file:
        assert file.readable() and file.seekable() and not file.writable()
        assert file.name == str(written) and file.mode == 'rb'
        for _ in range(300):
            whence = rng.choice([0, 1, 2])
            offset = {0: rng.randrange(4000100), 1: rng.randrange(-1000, 1000), 2: -rng.randrange(4000000)}[whence]
            if whence == 1 and plain.tell() + offset < 0:
                continue
            assert file.seek(offset, whence) == plain.seek(offset, whence)
            count = rng.choice([0, 1, 7, 1000, 200000, 1500000])
            assert file.read(count) == plain.read(count)
            assert file.tell() == plain.tell()
        for bad in (-1, 0), (-5000000, 2):
            with pytest.raises((ValueError, OSError)):
                file.seek(*bad)
    with pytest.raises(ValueError):
        file.read()


def test_readinto(written, numbers):
    restored = numpy.zeros_like(numbers)
    with tdz.open(written) as file:
        assert file.readinto(restored) == numbers.nbytes
    assert (restored == numbers).all()


def test_lines_of_text(path):
    with tdz.open(path, 'wb') as file:
        file.write(b'one\ntwo\n')
    with tdz.open(path) as file:
        assert list(file) == [b'one\n', b'two\n']


def test_only_the_chunks_that_are_read(numbers):
    class Counting(io.BytesIO):
        taken = 0

        def read(self, count=-1):
            piece = super().read(count)
            self.taken += len(piece)
            return piece

    stored = Counting(tdz.compress(numbers))
    with tdz.open(stored) as file:
        file.seek(2000000)
        assert file.read(100) == numbers.tobytes()[2000000:2000100]
    assert stored.taken < len(stored.getvalue()) * 0.6


def test_many_pieces(path):
    data = records(60000).tobytes()
    rng = random.Random(2)
    with tdz.open(path, 'wb', type='u64,f32x3,u8,i16', threads=2) as file:
        at = 0
        while at < len(data):
            count = rng.choice([0, 1, 100, 30000, 500000])
            assert file.write(data[at:at + count]) == len(data[at:at + count])
            at += count
            assert file.tell() == min(at, len(data))
    with tdz.open(path) as file:
        assert file.read() == data


def test_options(path, numbers):
    plan = tdz.plan_for('f32', 2)
    for options in {'plan': plan}, {'type': 'f32', 'level': 1}, {'level': 19}, {'threads': 1}, {'effort': 'fast'}, {'effort': 'fastest'}:
        with tdz.open(path, 'wb', **options) as file:
            file.write(numbers)
        with tdz.open(path, threads=1) as file:
            assert file.read() == numbers.tobytes()
    with pytest.raises(ValueError, match='with_level'):
        tdz.open(path, 'wb', plan=plan, level=3)
    with pytest.raises(ValueError, match='`effort` does not go with `plan`'):
        tdz.open(path, 'wb', plan=plan, effort='best')
    for wrong in {'level': 30}, {'type': 'f31'}, {'threads': -1}, {'effort': 'default'}:
        with pytest.raises(ValueError):
            tdz.open(path, 'wb', **wrong)
    with pytest.raises(TypeError):
        tdz.open(path, 'wb', plan='plan')
    for mode in 'rt', 'w+', 'rwb', '', 'wt':
        with pytest.raises(ValueError, match='mode'):
            tdz.open(path, mode)
    for option in {'plan': plan}, {'type': 'f32'}, {'level': 3}, {'effort': 'fast'}:
        with pytest.raises(ValueError, match='writing'):
            tdz.open(path, 'rb', **option)


def test_nothing(path):
    tdz.open(path, 'wb').close()
    assert path.stat().st_size > 100
    with tdz.open(path) as file:
        assert file.read() == b'' and file.seek(0, 2) == 0


def test_append(written, numbers):
    with tdz.open(written, 'ab') as file:
        file.write(numbers[:10])
    with tdz.open(written) as file:
        assert file.read() == numbers.tobytes() + numbers[:10].tobytes()
    size = written.stat().st_size
    with pytest.raises(KeyError):
        with tdz.open(written, 'ab') as file:
            file.write(numbers)
            raise KeyError
    assert written.stat().st_size == size
    assert tdz.check(written) == numbers.nbytes + 40


def test_whole_or_not_at_all(written, numbers):
    before = written.read_bytes()
    with pytest.raises(KeyError):
        with tdz.open(written, 'wb') as file:
            file.write(numbers)
            assert written.read_bytes() == before
            raise KeyError
    assert written.read_bytes() == before and names(written) == ['numbers.tdz']
    file = tdz.open(written, 'wb')
    file.write(numbers)
    file.discard()
    assert file.closed and written.read_bytes() == before and names(written) == ['numbers.tdz']


def test_exclusive(written, path):
    with pytest.raises(FileExistsError):
        tdz.open(written, 'xb')
    other = path.with_name('other.tdz')
    file = tdz.open(other, 'xb')
    other.write_bytes(b'mine')
    with pytest.raises(FileExistsError):
        file.close()
    assert other.read_bytes() == b'mine' and len(names(path)) == 2


def test_mode_bits_and_links(written, numbers):
    written.chmod(0o640)
    link = written.with_name('link.tdz')
    link.symlink_to(written.name)
    with tdz.open(link, 'wb') as file:
        file.write(numbers[:100])
    assert link.is_symlink() and stat.S_IMODE(written.stat().st_mode) == 0o640
    assert tdz.check(written) == 400


def test_file_objects(numbers):
    stored = io.BytesIO(b'head')
    stored.seek(4)
    with tdz.open(stored, 'wb') as file:
        file.write(numbers)
    assert not stored.closed
    stored.seek(4)
    with tdz.open(stored) as file:
        assert file.read() == numbers.tobytes()
    assert not stored.closed


def test_pipes(numbers):
    stored = tdz.compress(numbers)
    for count in len(stored), len(stored) - 5:
        reading, writing = os.pipe()

        def feed():
            with open(writing, 'wb') as pipe:
                pipe.write(stored[:count])

        thread = threading.Thread(target=feed)
        thread.start()
        with open(reading, 'rb') as pipe, tdz.open(pipe) as file:
            assert not file.seekable()
            if count == len(stored):
                assert file.read() == numbers.tobytes()
            else:
                assert file.read(100) == numbers.tobytes()[:100]
                with pytest.raises(tdz.TruncatedError):
                    file.read()
        thread.join()


def test_a_pipe_that_nobody_reads_to_its_end(tmp_path):
    fifo = tmp_path / 'fifo'
    os.mkfifo(fifo)
    stored = tdz.compress(os.urandom(40000000), level=1)

    def feed():
        try:
            fifo.write_bytes(stored)
        except BrokenPipeError:
            pass

    thread = threading.Thread(target=feed)
    thread.start()
    with tdz.open(fifo) as file:
        assert len(file.read(10)) == 10
    thread.join()


def test_a_full_disk(numbers):
    class Full(io.RawIOBase):
        def writable(self):
            return True

        def write(self, data):
            raise OSError(28, 'No space left on device')

    file = tdz.open(Full(), 'wb')
    with pytest.raises(OSError, match='No space'):
        for _ in range(1000):
            file.write(numbers)
    assert file.closed
    file = tdz.open(Full(), 'wb')
    file.write(numbers)
    with pytest.raises(OSError, match='No space'):
        file.close()
    assert file.closed


def test_objects_that_misbehave(numbers):
    stored = tdz.compress(numbers)

    class Odd(io.BytesIO):
        answer = None

        def read(self, count=-1):
            return self.answer(count) if self.answer else super().read(count)

    for answer, kind in ((lambda count: b'', OSError), (lambda count: bytes(count + 1), ValueError),
                         (lambda count: 'text', TypeError), (lambda count: 1 / 0, ZeroDivisionError)):
        file = Odd(stored)
        file.answer = answer
        with pytest.raises(kind):
            tdz.open(file).read()

    class Writes(io.RawIOBase):
        def __init__(self, answer):
            self.answer, self.taken = answer, b''

        def write(self, data):
            count = self.answer(len(data))
            self.taken += data[:count]
            return count

    slow = Writes(lambda count: min(count, 1000))
    with tdz.open(slow, 'wb') as file:
        file.write(numbers)
    assert tdz.decompress(slow.taken) == numbers.tobytes()
    for wrong in 0, -3, 10**9:
        with pytest.raises(OSError):
            with tdz.open(Writes(lambda count: wrong), 'wb') as file:
                file.write(numbers)
    with pytest.raises(TypeError):
        with tdz.open(Writes(lambda count: slice(3).stop and 'x'), 'wb') as file:
            file.write(numbers)


def test_writes_what_any_buffer_holds(path, numbers):
    with pytest.raises(ValueError, match='contiguous'):
        with tdz.open(path, 'wb') as file:
            file.write(numbers[::2])
    with pytest.raises(TypeError):
        with tdz.open(path, 'wb') as file:
            file.write('text')
    times = numpy.arange(1000).astype('M8[s]')
    with tdz.open(path, 'wb') as file:
        file.write(times)
    assert tdz.open(path).read() == times.tobytes()
    assert tdz.info(path)['streams'][0]['type'].startswith('i64')
    with tdz.open(path, 'wb') as file:
        file.write(records())
    assert tdz.open(path).read() == records().tobytes()


def test_files_that_are_not_there(tmp_path):
    with pytest.raises(FileNotFoundError):
        tdz.open(tmp_path / 'no')
    with pytest.raises(FileNotFoundError):
        tdz.open(tmp_path / 'no' / 'no', 'wb')
    for mode in 'rb', 'wb':
        with pytest.raises(IsADirectoryError):
            tdz.open(tmp_path, mode)
    (tmp_path / 'text').write_bytes(b'no numbers, and nothing compressed')
    with pytest.raises(tdz.CorruptError):
        tdz.open(tmp_path / 'text')
    (tmp_path / 'empty').write_bytes(b'')
    with pytest.raises(tdz.TruncatedError):
        tdz.open(tmp_path / 'empty')


def test_a_file_left_open_at_the_end(path):
    code = 'import sys, tdz; file = tdz.open(sys.argv[1], "wb"); file.write(bytes(5000000))'
    subprocess.run([sys.executable, '-c', code, path], check=True, timeout=60)
    assert tdz.check(path) == 5000000
    code = 'import sys, tdz; file = tdz.open(open("/dev/fd/0", "rb")); file.read(1)'
    subprocess.run([sys.executable, '-c', code], input=path.read_bytes(), check=True, timeout=60)


def test_many_readers_of_one_file(written, numbers):
    data, wrong = numbers.tobytes(), []

    def read(seed):
        rng = random.Random(seed)
        with tdz.open(written, threads=1) as file:
            for _ in range(40):
                at = rng.randrange(len(data))
                file.seek(at)
                if file.read(5000) != data[at:at + 5000]:
                    wrong.append(at)

    in_threads(8, read)
    assert wrong == []


def test_path_kinds(path, numbers):
    for kind in str, pathlib.Path:
        with tdz.open(kind(path), 'wb') as file:
            file.write(numbers)
            assert file.name == str(path) and file.mode == 'wb' and file.writable() and not file.readable()
            file.flush()
        assert tdz.check(kind(path)) == numbers.nbytes


def test_sample_runs(capsys):
    runpy.run_path(str(pathlib.Path(__file__).parents[2] / 'samples' / 'arrays.py'))
    assert 'equal' in capsys.readouterr().out
