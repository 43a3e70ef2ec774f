# SPDX-License-Identifier: Apache-2.0
"""compress and decompress in memory, info and check."""

import io
import os

import numpy
import pytest

import tdz
from conftest import records, walk


@pytest.mark.parametrize('count', [0, 1, 7, 1000, 3000000])
def test_round_trip(count):
    numbers = walk('i4', (count,))
    stored = tdz.compress(numbers)
    assert tdz.decompress(stored) == numbers.tobytes()
    assert tdz.check(stored) == numbers.nbytes
    assert tdz.info(stored)['original_bytes'] == numbers.nbytes


def test_bytes_do_not_depend_on_threads():
    numbers = walk('f4', (2000000,))
    assert len({tdz.compress(numbers, threads=threads) for threads in (0, 1, 2, 7)}) == 1
    stored = tdz.compress(numbers)
    assert len({tdz.decompress(stored, threads=threads) for threads in (0, 1, 2, 7)}) == 1


def test_plans_of_earlier_inputs():
    plans = tdz.PlanCache()
    inputs = [walk('i4', (60000,), seed) for seed in range(4)]
    stored = [tdz.compress(numbers, plans=plans) for numbers in inputs]
    assert [tdz.decompress(one) for one in stored] == [numbers.tobytes() for numbers in inputs]
    assert plans.taken == 3
    assert stored[0] == tdz.compress(inputs[0])
    with pytest.raises(ValueError, match='plans go without a plan'):
        tdz.compress(inputs[0], plan=tdz.plan(inputs[0]), plans=plans)
    with pytest.raises(TypeError):
        tdz.compress(inputs[0], plans=[])
    with pytest.raises(TypeError):
        tdz.PlanCache(3)


def test_same_bytes_as_the_program(root):
    program = root / os.environ.get('TDZ_BUILD', 'build/release') / 'app' / 'tdz'
    if not program.exists():
        pytest.skip('the program was not built')
    import subprocess
    stored = tdz.compress(walk('i4', (600000,)))
    restored = subprocess.run([program, '-dc'], input=stored, stdout=subprocess.PIPE, check=True).stdout
    assert restored == walk('i4', (600000,)).tobytes()
    packed = subprocess.run([program, '-c'], input=restored, stdout=subprocess.PIPE, check=True).stdout
    assert tdz.decompress(packed) == restored


def recovered(root, tmp_path, damaged):
    """What the program makes of it: its exit status and the healed file."""
    program = root / os.environ.get('TDZ_BUILD', 'build/release') / 'app' / 'tdz'
    if not program.exists():
        pytest.skip('the program was not built')
    import subprocess
    (tmp_path / 'damaged.tdz').write_bytes(damaged)
    done = subprocess.run([program, 'recover', '-q', '--archive', 'damaged.tdz', '-o', 'healed.tdz'], cwd=tmp_path)
    return done.returncode, (tmp_path / 'healed.tdz').read_bytes()


def damaged(stored, bytes):
    """With a hole in the middle."""
    at = len(stored) // 2
    return stored[:at] + b'\xA5' * bytes + stored[at + bytes:]


@pytest.mark.parametrize('plan', [None, tdz.plan_for('i32')])
def test_parity_heals(root, tmp_path, plan):
    numbers = walk('i4', (600000,))
    plain, stored = tdz.compress(numbers, plan=plan), tdz.compress(numbers, plan=plan, protect=10)
    assert tdz.compress(numbers, plan=plan, protect=0) == plain
    assert 1.1 * len(plain) < len(stored) < 1.2 * len(plain)
    assert 'protection' not in tdz.info(plain)['streams'][0]
    hole = tdz.info(stored)['streams'][0]['protection']['hole_bytes']
    assert hole > 0.08 * len(plain)
    assert tdz.decompress(stored) == numbers.tobytes()
    with pytest.raises(tdz.CorruptError):
        tdz.decompress(damaged(stored, hole))
    assert recovered(root, tmp_path, damaged(stored, hole)) == (0, stored)


@pytest.mark.parametrize('wrong, error', [(-1, ValueError), (101, ValueError), (1 << 40, OverflowError), ('5', TypeError)])
def test_parity_out_of_range(tmp_path, wrong, error):
    for call in (lambda: tdz.compress(b'abcd', protect=wrong), lambda: tdz.open(tmp_path / 'file', 'wb', protect=wrong),
                 lambda: tdz.save(tmp_path / 'file', [1, 2], protect=wrong)):
        with pytest.raises(error):
            call()
    assert os.listdir(tmp_path) == []


def test_files_with_parity(root, tmp_path):
    numbers = walk('f4', (300000,))
    tdz.save(tmp_path / 'saved.npy.tdz', numbers, protect=20)
    with tdz.open(tmp_path / 'opened.tdz', 'wb', protect=20) as file:
        file.write(numbers)
    for name in ('saved.npy.tdz', 'opened.tdz'):
        stored = (tmp_path / name).read_bytes()
        assert recovered(root, tmp_path, damaged(stored, len(stored) // 10)) == (0, stored)
        (tmp_path / 'healed.tdz').unlink()
    assert (tdz.load(tmp_path / 'saved.npy.tdz') == numbers).all()
    with pytest.raises(ValueError, match='for writing'):
        tdz.open(tmp_path / 'opened.tdz', protect=20)


def test_plan_and_level():
    numbers = walk()
    plan = tdz.plan(numbers)
    assert tdz.decompress(tdz.compress(numbers, plan=plan)) == numbers.tobytes()
    assert tdz.decompress(tdz.compress(numbers, level=1)) == numbers.tobytes()
    assert tdz.decompress(tdz.compress(numbers, level=None, plan=None, type=None)) == numbers.tobytes()
    assert tdz.compress(numbers, level=3) == tdz.compress(numbers)
    with pytest.raises(ValueError, match='with_level'):
        tdz.compress(numbers, plan=plan, level=3)
    with pytest.raises(TypeError):
        tdz.compress(numbers, plan='plan')
    for level in 0, 23, -5:
        with pytest.raises(ValueError, match='1 to 22'):
            tdz.compress(numbers, level=level)
    for wrong in 'default', '', 'Best':
        with pytest.raises(ValueError, match="'fast', 'normal' or 'best'"):
            tdz.compress(numbers, effort=wrong)
    for wrong in 3, None, b'fast':
        with pytest.raises(TypeError):
            tdz.compress(numbers, effort=wrong)
    with pytest.raises(ValueError, match='`effort` does not go with `plan`'):
        tdz.compress(numbers, plan=plan, effort='best')
    with pytest.raises(ValueError):
        tdz.compress(numbers, threads=-1)
    with pytest.raises(ValueError):
        tdz.compress(numbers, type='f31')
    with pytest.raises(TypeError):
        tdz.compress(numbers, type=4)
    with pytest.raises(TypeError):
        tdz.compress(numbers, None)


def test_effort_is_that_of_the_plan():
    numbers = walk()
    assert tdz.compress(numbers, effort='normal') == tdz.compress(numbers)
    for effort, level in {'fast': 1, 'normal': 3, 'best': 16}.items():
        stored = tdz.compress(numbers, effort=effort)
        assert tdz.decompress(stored) == numbers.tobytes()
        assert stored == tdz.compress(numbers, effort=effort, level=level)
        written = io.BytesIO()
        with tdz.open(written, 'wb', effort=effort) as file:
            file.write(numbers)
        assert tdz.decompress(written.getvalue()) == numbers.tobytes()
        # A file that is written piece by piece does not know its length; the rest is the same.
        assert abs(len(written.getvalue()) - len(stored)) < 300
    sizes = {effort: len(tdz.compress(numbers, effort=effort)) for effort in ('fastest', 'fast', 'normal', 'best')}
    assert sizes['best'] < sizes['normal'] <= sizes['fast'] < sizes['fastest'] < numbers.nbytes


def test_fastest():
    for numbers in walk(), walk('>i2', (70000, 3)), records(), walk('f8') + 0.5, numpy.zeros(0), b'x', b'text ' * 9000:
        original = numbers if isinstance(numbers, bytes) else numbers.tobytes()
        stored = tdz.compress(numbers, effort='fastest')
        assert tdz.decompress(stored) == original
        assert len(stored) <= len(original) + 700
        assert stored == tdz.compress(numbers, effort='fastest', threads=1)
        written = io.BytesIO()
        with tdz.open(written, 'wb', effort='fastest') as file:
            file.write(numbers)
        assert tdz.decompress(written.getvalue()) == original
    stream = tdz.info(io.BytesIO(tdz.compress(walk(), effort='fastest')))['streams'][0]
    assert stream['format_version'] == '1.1' and 'packed(' in str(stream['plans'])
    with tdz.open(io.BytesIO(tdz.compress(walk(), effort='fastest'))) as file:
        file.seek(40000)
        assert file.read(400) == walk().tobytes()[40000:40400]


def test_same_effort_as_the_program(root):
    program = root / os.environ.get('TDZ_BUILD', 'build/release') / 'app' / 'tdz'
    if not program.exists():
        pytest.skip('the program was not built')
    import subprocess
    data = walk('i4', (600000,)).tobytes()
    for effort, option in {'fastest': ['--fastest'], 'fast': ['--fast'], 'normal': [], 'best': ['--best']}.items():
        packed = subprocess.run([program, '-c', *option], input=data, stdout=subprocess.PIPE, check=True).stdout
        assert abs(len(packed) - len(tdz.compress(data, effort=effort))) < 300


def test_info_names_the_type():
    assert tdz.info(tdz.compress(walk('f4')))['streams'][0]['type'].startswith('f32')
    assert tdz.info(tdz.compress(records()))['streams'][0]['type'] == 'u64,f32x3,u8,i16'
    assert tdz.info(tdz.compress(walk('i2').tobytes(), type='i16x2'))['streams'][0]['type'] == 'i16x2'


def test_joined_streams():
    a, b = walk('i4'), walk('f8', (1000,))
    both = tdz.compress(a) + tdz.compress(b)
    assert tdz.decompress(both) == a.tobytes() + b.tobytes()
    assert [stream['original_bytes'] for stream in tdz.info(both)['streams']] == [a.nbytes, b.nbytes]
    assert tdz.check(both) == a.nbytes + b.nbytes


def test_out():
    numbers = walk('f4', (700000,))
    stored = tdz.compress(numbers)
    restored = numpy.zeros((700, 1000), 'f4')
    assert tdz.decompress(stored, out=restored) == numbers.nbytes
    assert (restored.ravel() == numbers).all()
    for short in 0, 1, numbers.nbytes - 1:
        with pytest.raises(tdz.LimitError):
            tdz.decompress(stored, out=bytearray(short))
    with pytest.raises(ValueError, match='read-only'):
        tdz.decompress(stored, out=bytes(10))
    with pytest.raises(ValueError, match='contiguous'):
        tdz.decompress(stored, out=restored[:, ::2])
    same = bytearray(stored)
    with pytest.raises(ValueError, match='share'):
        tdz.decompress(same, out=same)


def test_noise_grows_little():
    noise = os.urandom(3000000)
    stored = tdz.compress(noise)
    assert len(stored) < 1.01 * len(noise)
    assert tdz.decompress(stored) == noise


def test_check_and_info_of_any_source(tmp_path):
    stored = tdz.compress(walk())
    path = tmp_path / 'walk.tdz'
    path.write_bytes(stored)
    with open(path, 'rb') as file:
        for source in path, str(path), file, io.BytesIO(stored), stored, bytearray(stored), memoryview(stored):
            assert tdz.check(source) == walk().nbytes
            assert tdz.info(source) == tdz.info(path)
    with pytest.raises(FileNotFoundError):
        tdz.check(tmp_path / 'no')
    with pytest.raises(FileNotFoundError):
        tdz.info(tmp_path / 'no')
    with pytest.raises(IsADirectoryError):
        tdz.info(tmp_path)
    with pytest.raises(TypeError):
        tdz.info(3)


def test_versions():
    assert tdz.__version__.count('.') == 2 and tdz.format_version == '1.1' and tdz.zstd_version.startswith('1.')
