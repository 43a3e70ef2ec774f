# SPDX-License-Identifier: Apache-2.0
"""Plans: values that never change."""

import copy
import json
import pickle

import numpy
import pytest

import tdz
from conftest import walk


def test_json(plan):
    text = plan.to_json()
    assert json.loads(text)['version'] == 1
    assert tdz.Plan.from_json(text) == plan
    assert tdz.Plan.from_json(text).to_json() == text


def test_value(plan):
    again = tdz.Plan.from_json(plan.to_json())
    assert again == plan and not again != plan and hash(again) == hash(plan)
    assert plan != tdz.plan_for('f64', 7) and plan != 'plan' and plan != plan.to_json()
    assert {plan: 1}[again] == 1
    assert eval(repr(plan), {'tdz': tdz}) == plan
    for other in pickle.loads(pickle.dumps(plan)), copy.copy(plan), copy.deepcopy(plan):
        assert other == plan
    with pytest.raises(TypeError):
        plan < again
    for name in 'level', 'record_bytes', 'other':
        with pytest.raises(AttributeError):
            setattr(plan, name, 3)
    with pytest.raises(TypeError):
        tdz.Plan()
    with pytest.raises(TypeError):
        tdz.Plan.level = 3


def test_level():
    plan = tdz.plan_for('f32')
    assert plan.level == 3
    assert plan.with_level(9).level == 9 and plan.with_level(9) != plan
    assert tdz.plan_for('f32', level=9) == plan.with_level(9)
    assert tdz.plan(walk(), level=7).level == 7
    assert [tdz.plan(walk(), effort=effort).level for effort in ('fast', 'normal', 'best')] == [1, 3, 16]
    assert json.loads(tdz.plan(walk(), effort='fastest').to_json())['packing']['planes'] == ['stored']
    for wrong in 0, 23, -1, 2**70:
        with pytest.raises(ValueError, match='1 to 22'):
            plan.with_level(wrong)
    with pytest.raises(TypeError):
        plan.with_level('3')


def test_record_bytes():
    assert tdz.plan_for('u64,f32x5,i24').record_bytes == 31
    assert tdz.plan_for('i16').record_bytes == 2


@pytest.mark.parametrize('text', ['', '{}', '[]', 'null', '{"version":1}', 'x' * 3000000, '{"version":99}', '\0',
                                  '{"version":1,"record":0,"columns":[]}', '\udc80'])
def test_bad_json(text):
    with pytest.raises((ValueError, tdz.UnsupportedError)):
        tdz.Plan.from_json(text)


def test_bad_json_type():
    for wrong in None, 3, b'{}':
        with pytest.raises(TypeError):
            tdz.Plan.from_json(wrong)


def test_usage():
    for types in '', 'x', 'f31', 'f32,', 'i16x0', 'i16x70000000000', 'f32\0':
        with pytest.raises(ValueError):
            tdz.plan_for(types)
    for order in -1, 9:
        with pytest.raises(ValueError, match='order'):
            tdz.plan_for('f32', order)
    for wrong in None, 3, numpy.dtype('f4'):
        with pytest.raises(TypeError):
            tdz.plan_for(wrong)
    with pytest.raises(ValueError, match='effort'):
        tdz.plan(walk(), effort='most')
    with pytest.raises(ValueError):
        tdz.plan(walk(), type='f31')
    with pytest.raises(ValueError):
        tdz.plan(b'')


def test_search_uses_the_dtype():
    numbers = walk('f8')
    assert tdz.plan(numbers) == tdz.plan(numbers.tobytes(), type='f64')
    assert tdz.plan(numbers, type='f32').record_bytes % 4 == 0
