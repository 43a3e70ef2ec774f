# SPDX-License-Identifier: Apache-2.0
"""Files of safetensors, and the names of types of neural networks."""

import numpy
import pytest

import tdz


def weights(shape, seed=1):
    return numpy.random.default_rng(seed).normal(0, 0.02, shape).astype('f4')


def bfloat16(numbers):
    return (numbers.view('u4') >> 16).astype('u2')


@pytest.mark.parametrize('dtype, kind', [('f4', 'f32'), ('f2', 'f16'), ('i8', 'i64')])
def test_the_header_says_the_type(dtype, kind, tmp_path):
    safetensors = pytest.importorskip('safetensors.numpy')
    tensors = {f'layer {i}': (weights((60, 70), i) * 1000).astype(dtype) for i in range(5)}
    tensors['mask'] = numpy.ones(9, bool)
    original = safetensors.save(tensors, metadata={'format': 'np', 'a "quoted" name': '{'})
    with tdz.open(tmp_path / 'model.safetensors.tdz', 'wb') as file:
        file.write(original)
    assert tdz.info(tmp_path / 'model.safetensors.tdz')['streams'][0]['type'].startswith(kind)
    with tdz.open(tmp_path / 'model.safetensors.tdz') as file:
        again = safetensors.load(file.read())
    assert all((again[name] == tensors[name]).all() for name in tensors)


def test_bf16_is_u16_by_another_name():
    numbers = bfloat16(weights(200000))
    assert tdz.plan_for('bf16x2,f8e4m3') == tdz.plan_for('u16x2,u8')
    stored = tdz.compress(numbers.tobytes(), type='bf16')
    assert stored == tdz.compress(numbers, type='u16')
    assert tdz.decompress(stored) == numbers.tobytes()
    assert len(stored) < 0.8 * numbers.nbytes
