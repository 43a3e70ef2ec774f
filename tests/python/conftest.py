# SPDX-License-Identifier: Apache-2.0
import pathlib
import threading

import numpy
import pytest

import tdz


def walk(dtype='i4', shape=(50000,), seed=1):
    """Numbers that differ little from their neighbours."""
    steps = numpy.random.default_rng(seed).integers(-5, 6, shape)
    return numpy.cumsum(steps, axis=0).astype(dtype)


def records(count=20000):
    rows = numpy.zeros(count, [('time', '<u8'), ('place', '<f4', (3,)), ('state', 'u1'), ('flow', '<i2')])
    rows['time'] = 1000 * numpy.arange(count)
    rows['place'] = walk('f4', (count, 3))
    rows['flow'] = walk('i2', (count,), 2)
    return rows


def in_threads(count, job):
    """job(0), job(1), .. at once; returns after all have ended."""
    threads = [threading.Thread(target=job, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


PLANS = {
    'searched': lambda: tdz.plan(walk()),
    'fastest': lambda: tdz.plan(walk(), effort='fastest'),
    'best': lambda: tdz.plan(walk(), effort='best'),
    'gpu': lambda: tdz.plan(walk(), gpu=True),
    'order 1': lambda: tdz.plan_for('i32'),
    'order 2 of 3': lambda: tdz.plan_for('i32x3', 2),
    'no steps': lambda: tdz.plan_for('bytes', 0),
    'records': lambda: tdz.plan_for('u64,f32x5,i24'),
}


@pytest.fixture(scope='session', params=list(PLANS))
def plan(request):
    return PLANS[request.param]()


@pytest.fixture
def root():
    return pathlib.Path(__file__).resolve().parents[2]
