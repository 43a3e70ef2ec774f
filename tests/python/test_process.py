# SPDX-License-Identifier: Apache-2.0
"""What a long-running process cares for: threads, memory, other interpreters, types."""

import concurrent.futures
import gc
import multiprocessing
import os
import resource
import subprocess
import sys
import sysconfig
import threading
import time

import numpy
import pytest

import tdz
from conftest import walk


def test_threads_share_a_plan(plan):
    chunks = [walk('i4', (20000,), seed) for seed in range(20)]
    wanted = [tdz.encode_block(chunk, plan) for chunk in chunks]

    def both(index):
        chunk = chunks[index % len(chunks)]
        block = tdz.encode_block(chunk, plan)
        return block == wanted[index % len(chunks)] and tdz.decode_block(block) == chunk.tobytes()

    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        assert all(pool.map(both, range(200)))


def default_threads_after(preparation):
    script = f'import os, tdz; {preparation}; print(tdz.default_threads())'
    return int(subprocess.run([sys.executable, '-c', script], check=True, capture_output=True, text=True).stdout)


def test_default_threads_keep_to_the_cpu_mask():
    cores = sorted(os.sched_getaffinity(0))
    assert 1 <= tdz.default_threads() <= len(cores)
    assert default_threads_after(f'os.sched_setaffinity(0, {{{cores[-1]}}})') == 1


def test_threads_mix_everything():
    data = walk('f4', (100000,))

    def work(index):
        if index % 4 == 0:
            return tdz.decompress(tdz.compress(data, threads=2)) == data.tobytes()
        if index % 4 == 1:
            return tdz.Plan.from_json(tdz.plan(data[:5000]).to_json()).record_bytes > 0
        if index % 4 == 2:
            with pytest.raises(tdz.Error):
                tdz.decode_block(data[:100])
            return True
        return tdz.check(tdz.compress(data, level=1)) == data.nbytes

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(48)))


def test_the_gil_is_released():
    data, ticks, done = walk('f8', (500000,)), 0, threading.Event()
    plan = tdz.plan_for('f64').with_level(19)

    def code():
        tdz.encode_block(data, plan)
        done.set()

    thread = threading.Thread(target=code)
    begin = time.monotonic()
    thread.start()
    while not done.is_set():
        ticks += 1
        time.sleep(0.001)
    thread.join()
    assert ticks > 50 * (time.monotonic() - begin)


def grown(call, rounds):
    """Kilobytes by which the process grew in the second half of the rounds."""
    for _ in range(rounds):
        call()
    gc.collect()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(rounds):
        call()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before


def test_no_memory_is_lost(tmp_path):
    data, plan = walk('i4', (20000,)), tdz.plan_for('i32')
    block, stored, out = tdz.encode_block(data, plan), tdz.compress(data), bytearray(200000)

    def failing():
        for call in (lambda: tdz.decode_block(block[:-1]), lambda: tdz.decompress(stored[:-1]),
                     lambda: tdz.encode_block(data, plan, out=bytearray(3)), lambda: tdz.plan_for('x'),
                     lambda: tdz.Plan.from_json('{'), lambda: tdz.compress(data[::2]), lambda: tdz.open(b'x')):
            with pytest.raises((tdz.Error, ValueError)):
                call()

    def writing():
        with tdz.open(tmp_path / 'a.tdz', 'wb', plan=plan) as file:
            file.write(data)
        with tdz.open(tmp_path / 'a.tdz') as file:
            file.read()

    calls = {
        lambda: tdz.encode_block(data, plan): 500, lambda: tdz.decode_block(block): 500,
        lambda: tdz.encode_block(data, plan, out=out): 500, lambda: tdz.decode_block(block, out=out): 500,
        lambda: tdz.Plan.from_json(plan.to_json()).with_level(5): 3000, lambda: tdz.block_plan(block): 3000,
        lambda: tdz.compress(data, plan=plan): 100, lambda: tdz.decompress(stored): 100,
        lambda: tdz.info(stored, chunks=True): 500, failing: 100, writing: 50}
    for call, rounds in calls.items():
        assert grown(call, rounds) < 4000, call


def test_no_reference_is_lost():
    plan, data = tdz.plan_for('i32'), walk()
    block, out, text = tdz.encode_block(data, plan), bytearray(400000), plan.to_json()
    objects = plan, data, block, out, text, tdz.Plan, tdz.LimitError
    before = [sys.getrefcount(item) for item in objects]
    for _ in range(100):
        tdz.encode_block(data, plan)
        tdz.encode_block(data, plan, out=out)
        tdz.decode_block(block, out=out)
        tdz.decode_block(block)
        tdz.compress(data, plan=plan, level=None, type=None)
        tdz.Plan.from_json(text) == plan
        repr(plan), hash(plan), plan.__reduce__()
        with pytest.raises(tdz.LimitError):
            tdz.decode_block(block, limit=3)
    gc.collect()
    after = [sys.getrefcount(item) for item in objects]
    assert all(abs(a - b) < 30 for a, b in zip(after, before)), (before, after)


def in_a_child(block):
    return tdz.decode_block(block), tdz.compress(block)


@pytest.mark.parametrize('method', ['fork', 'spawn'])
def test_processes(method):
    plan, data = tdz.plan_for('i32'), walk()
    block = tdz.encode_block(data, plan)
    tdz.decompress(tdz.compress(data, threads=2))
    with multiprocessing.get_context(method).Pool(2) as pool:
        for restored, stored in pool.map(in_a_child, [block] * 4):
            assert restored == data.tobytes() and stored == tdz.compress(block)
        assert pool.apply(tdz.encode_block, (data, plan)) == block


def test_sub_interpreters_are_refused():
    code = '''
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
import tdz
one = interpreters.create()
script = "try:\\n    import tdz\\nexcept ImportError:\\n    print('refused')"
answer = (interpreters.exec if hasattr(interpreters, 'exec') else interpreters.run_string)(one, script)
interpreters.destroy(one)
'''
    result = subprocess.run([sys.executable, '-c', code], stdout=subprocess.PIPE, text=True, timeout=60)
    assert result.stdout == 'refused\n' and result.returncode == 0


def test_one_name_is_exported():
    import tdz._core
    listed = subprocess.run(['nm', '-D', '--defined-only', tdz._core.__file__], stdout=subprocess.PIPE, text=True)
    assert [line.split()[-1] for line in listed.stdout.splitlines()] == ['PyInit__core']


def test_only_the_limited_api_is_used():
    """Names of Python that the module asks for; those with an underscore are not in the limited API."""
    import tdz._core
    listed = subprocess.run(['nm', '-D', '--undefined-only', tdz._core.__file__], stdout=subprocess.PIPE, text=True)
    names = [line.split()[-1].partition('@')[0] for line in listed.stdout.splitlines()]
    private = [name for name in names if name.startswith('_Py')]
    private = [name for name in private if not name.endswith('_SizeT')]  # lengths as Py_ssize_t
    assert set(private) <= {'_Py_Dealloc', '_Py_NoneStruct', '_Py_NotImplementedStruct', '_Py_TrueStruct'}, private
    assert tdz._core.__file__.endswith('.abi3.so')


def test_a_package_without_the_program_says_so():
    program = os.path.join(os.path.dirname(tdz.__file__), 'tdz')
    if os.path.exists(program):
        pytest.skip('this package has it; wheel.sh runs it')
    result = subprocess.run([sys.executable, '-m', 'tdz', '--version'], stderr=subprocess.PIPE, text=True)
    assert result.returncode == 1 and f'{program} is missing' in result.stderr


TYPED = '''
import io
import numpy
import tdz
from typing import assert_type

numbers = numpy.zeros(3, 'f4')
plan = tdz.plan(numbers, effort='best')
assert_type(plan, tdz.Plan)
assert_type(tdz.compress(numbers), bytes)
assert_type(tdz.compress(b'', plan=plan, threads=2), bytes)
assert_type(tdz.decompress(b''), bytes)
assert_type(tdz.decompress(b'', out=bytearray(3)), int)
assert_type(tdz.encode_block(numbers, plan), bytes)
assert_type(tdz.encode_block(numbers, plan, out=numbers), int)
assert_type(tdz.decode_block(b'', limit=3), bytes)
assert_type(tdz.open('x'), io.BufferedReader)
assert_type(tdz.open('x', 'wb', level=3, chunk=1 << 16), tdz.Writer)
tdz.save('x', numbers, effort='best')
tdz.save(io.BytesIO(), [1, 2, 3], chunk=1 << 16)
restored: numpy.ndarray[tuple[int, ...], numpy.dtype[numpy.float32]] = tdz.load('x')
with tdz.load(b'', lazy=True, threads=2) as lazy:
    assert_type(lazy.shape, tuple[int, ...])
    restored = lazy[2:3, ..., None]
    restored = numpy.asarray(lazy)
report = tdz.analyze(numbers, sample=1 << 20)
assert_type(report.efforts[0].ratio, float)
assert_type(report.plan.words, str)
assert_type(tdz.type_of(numbers), str | None)
error: ValueError = tdz.CorruptError()
'''
WRONG = ["tdz.compress('text')", "tdz.compress(b'', plan=plan, level=3)", "tdz.plan(b'', effort='most')",
         "tdz.encode_block(b'', 3)", "tdz.open('x', 'rt')", "tdz.open('x', 'rb', level=3)", "tdz.load('x', lazy=3)",
         "tdz.save('x', numbers, level='3')", 'tdz.Plan.from_json(3)']


def test_types(tmp_path):
    pytest.importorskip('mypy')
    (tmp_path / 'good.py').write_text(TYPED)
    (tmp_path / 'wrong.py').write_text(TYPED + '\n'.join(WRONG) + '\n')
    package = os.path.dirname(os.path.dirname(tdz.__file__))

    def mypy(*files):
        return subprocess.run([sys.executable, '-m', 'mypy', '--strict', '--cache-dir', tmp_path / 'cache', *files],
                              stdout=subprocess.PIPE, text=True, env={**os.environ, 'MYPYPATH': package})

    good, wrong = mypy(tmp_path / 'good.py'), mypy(tmp_path / 'wrong.py')
    assert good.returncode == 0, good.stdout
    lines = {int(line.split(':')[1]) for line in wrong.stdout.splitlines() if ': error:' in line}
    first = TYPED.count('\n') + 1
    assert lines == set(range(first, first + len(WRONG))), wrong.stdout


def test_stubs_name_all_functions(root):
    import ast
    import tdz._core
    tree = ast.parse((root / 'bindings/python/tdz/_core.pyi').read_text())
    stubs = {item.name for item in tree.body if isinstance(item, (ast.FunctionDef, ast.ClassDef))}
    stubs |= {item.target.id for item in tree.body if isinstance(item, ast.AnnAssign)}
    assert stubs == {name for name in dir(tdz._core) if not name.startswith('__')}


def test_everything_public_is_explained():
    for name in tdz.__all__:
        item = getattr(tdz, name)
        assert isinstance(item, str) or item.__doc__, name


INTERRUPTED = '''
import os, signal, sys, threading, time, tdz
data = os.urandom(200000000)
signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background begins without one
threading.Timer(0.7, os.kill, (os.getpid(), signal.SIGINT)).start()
begin = time.monotonic()
try:
    while True:
        tdz.compress(data, type='u64', level=19, threads=2)
except KeyboardInterrupt:
    sys.exit(time.monotonic() - begin > 15)
'''


def test_ctrl_c_ends_a_long_call():
    subprocess.run([sys.executable, '-c', INTERRUPTED], check=True, timeout=100)
