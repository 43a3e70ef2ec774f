# SPDX-License-Identifier: Apache-2.0
"""tdz.analyze: does its report say what compress then does, and can people and notebooks read it?"""

import html.parser
import re
import xml.etree.ElementTree

import numpy
import pytest

import tdz
from conftest import records, walk

EFFORTS = ['fastest', 'fast', 'normal', 'best']


@pytest.fixture(scope='module')
def numbers():
    return walk('f4', (400, 500))


@pytest.fixture(scope='module')
def report(numbers):
    return tdz.analyze(numbers)


def test_sizes_are_those_of_compress(report, numbers):
    assert [effort.name for effort in report.efforts] == EFFORTS
    for effort in report.efforts:
        assert effort.stored_bytes == len(tdz.compress(numbers, effort=effort.name))
        assert effort.ratio == numbers.nbytes / effort.stored_bytes
        assert effort.seconds > 0 and effort.restore_seconds > 0
    assert report.original_bytes == report.sampled_bytes == numbers.nbytes
    assert report.type == 'f32'


def test_the_plan_can_be_used(report, numbers):
    assert report.plan == tdz.plan(numbers)
    assert tdz.decompress(tdz.compress(numbers, plan=report.plan)) == numbers.tobytes()
    assert report.plan.words.startswith('numbers of') and '\n' not in report.plan.words
    assert tdz.plan_for('u64,f32x5').words.splitlines()[1].startswith('column 2, 5 x f32: difference of order 1')


def test_text(report):
    text = repr(report)
    assert 'array of float32, shape (400, 500): 781 KiB' in text and 'estimates' not in text
    rows = re.findall(r'^  (\w+) +(\d\S* \w+) +(\d+\.\d\d) +(\d\S* \w+) +(\d\S* \w+)$', text, re.M)
    assert [row[0] for row in rows] == EFFORTS
    assert [float(row[2]) for row in rows] == [round(effort.ratio, 2) for effort in report.efforts]
    assert report.plan.words in ' '.join(text.split())
    assert max(map(len, text.splitlines())) <= 80


class Balanced(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.seen = [], []

    def handle_starttag(self, tag, attributes):
        self.open.append(tag)
        self.seen.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.seen.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_notebooks(report):
    page = report._repr_html_()
    reader = Balanced()
    reader.feed(page)
    reader.close()
    assert reader.open == [] and reader.seen.count('tr') == 5 and reader.seen.count('svg') == 1
    for effort in report.efforts:
        assert f'>{effort.name}<' in page and f'{effort.ratio:.2f}' in page
    assert html.escape(report.plan.words) in page


def test_the_chart_is_to_scale(report):
    page = report._repr_html_()
    chart = xml.etree.ElementTree.fromstring(page[page.index('<svg'):page.index('</svg>') + 6])
    bars = [float(bar.get('width')) for bar in chart.iter('{http://www.w3.org/2000/svg}rect')]
    assert bars[0] == 300
    for bar, effort in zip(bars[1:], report.efforts, strict=True):
        assert bar == pytest.approx(300 / effort.ratio, abs=0.1)


def test_samples_of_a_longer_array():
    numbers = walk('i2', (3000, 701))
    for array in numbers, numpy.asfortranarray(numbers), numbers[:, ::2], numbers.reshape(-1):
        report = tdz.analyze(array, sample=1 << 18)
        assert (1 << 17) < report.sampled_bytes <= 1 << 18 and report.original_bytes == array.nbytes
        assert 'estimates from samples' in repr(report) and 'estimates from samples' in report._repr_html_()
        whole = len(tdz.compress(numpy.ascontiguousarray(array.ravel('K'))))
        estimate = report.efforts[2].stored_bytes * report.original_bytes / report.sampled_bytes
        assert 0.7 < estimate / whole < 1.4


def test_samples_come_from_the_whole_array():
    numbers = numpy.zeros(1 << 20, 'u4')
    numbers[1 << 19:] = numpy.random.default_rng(3).integers(0, 1 << 32, 1 << 19, 'u4')
    ratio = tdz.analyze(numbers, sample=1 << 20).efforts[2].ratio
    assert 1.7 < ratio < 2.3


def test_what_the_numbers_are():
    assert tdz.analyze(records(2000)).type == 'u64,f32x3,u8,i16'
    assert tdz.analyze(numpy.arange(900).astype('M8[s]')).type == 'i64'
    assert tdz.analyze(walk('i2', (900,)), type='i16x2').type == 'i16x2'
    assert tdz.analyze(b'bytes' * 900).type is None
    assert tdz.analyze([1, 2, 3]).type == 'i64'


def test_dtypes_of_others():
    ml_dtypes = pytest.importorskip('ml_dtypes')
    assert tdz.analyze(walk('f4', (900,)).astype(ml_dtypes.bfloat16)).type == 'u16'


def test_names_are_escaped():
    rows = numpy.zeros(100, [('<script>', 'f4'), ('b', 'f4')])
    assert '<script>' not in tdz.analyze(rows)._repr_html_()


def test_what_is_refused():
    with pytest.raises(ValueError, match='no numbers'):
        tdz.analyze(numpy.zeros((0, 3)))
    with pytest.raises(TypeError, match='objects'):
        tdz.analyze(numpy.array([None]))
    with pytest.raises(TypeError, match='mask'):
        tdz.analyze(numpy.ma.masked_equal([1, 2], 2))
    with pytest.raises(ValueError, match='sample'):
        tdz.analyze(walk(), sample=0)
    with pytest.raises(ValueError):
        tdz.analyze(walk(), type='f31')
