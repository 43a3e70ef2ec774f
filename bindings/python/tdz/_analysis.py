# SPDX-License-Identifier: Apache-2.0
"""What analyze() reports: how small an array gets, how long that takes, and by which steps."""

from __future__ import annotations

import dataclasses
import html
import textwrap
import time
from typing import Any, Literal

import numpy

from tdz import _core, _npy

_Name = Literal['fastest', 'fast', 'normal', 'best']
_EFFORTS: tuple[_Name, ...] = ('fastest', 'fast', 'normal', 'best')
_PIECES = 4  # of a longer array, from its beginning to its end


@dataclasses.dataclass(frozen=True)
class Effort:
    """What one effort makes of the samples. Times are of this machine, while it did what else it did."""

    name: _Name
    stored_bytes: int
    ratio: float
    seconds: float  #: to compress the samples, with the search
    restore_seconds: float


@dataclasses.dataclass(frozen=True, repr=False)
class Analysis:
    """What tdz makes of an array. print() shows it as text, and a notebook as a table and a chart.

    array           what it is, in words
    type            what tdz calls its numbers, or None
    original_bytes  of the whole array
    sampled_bytes   of what was compressed: all of it, or samples from its beginning to its end
    efforts         an Effort for each, from fast to small
    plan            what the search found at the effort 'normal', for compress() and encode_block()
    """

    array: str
    type: str | None
    original_bytes: int
    sampled_bytes: int
    efforts: tuple[Effort, ...]
    plan: _core.Plan

    def __repr__(self) -> str:
        rows = [f'{e.name:<9}{self._whole(e.stored_bytes):>11}{e.ratio:>8.2f}{self._time(e.seconds):>11}'
                f'{self._time(e.restore_seconds):>11}' for e in self.efforts]
        head = f'{"effort":<9}{"stored":>11}{"ratio":>8}{"compress":>11}{"restore":>11}'
        steps = [textwrap.fill(line, 78, initial_indent='  ', subsequent_indent='    ')
                 for line in self.plan.words.splitlines()]
        return '\n'.join([self._title(), '', f'  {head}', *(f'  {row}' for row in rows), '', 'steps of normal:', *steps])

    def _repr_html_(self) -> str:
        row = '<tr><td style="text-align:left">{}</td><td>{}</td><td>{:.2f}</td><td>{}</td><td>{}</td></tr>'
        rows = [row.format(e.name, self._whole(e.stored_bytes), e.ratio, self._time(e.seconds),
                           self._time(e.restore_seconds)) for e in self.efforts]
        steps = ''.join(f'<li>{html.escape(line)}</li>' for line in self.plan.words.splitlines())
        return (
            f'<div><p>{html.escape(self._title())}</p><table><thead><tr><th style="text-align:left">effort</th>'
            f'<th>stored</th><th>ratio</th><th>compress</th><th>restore</th></tr></thead><tbody>{"".join(rows)}</tbody>'
            f'</table>{self._chart()}<p>Steps of <i>normal</i>:</p><ul>{steps}</ul></div>'
        )

    def _title(self) -> str:
        whole = self.sampled_bytes == self.original_bytes
        samples = '' if whole else f'; figures are estimates from samples of {_size(self.sampled_bytes)}'
        return f'{self.array}: {_size(self.original_bytes)}{samples}'

    def _whole(self, stored: int) -> str:
        return _size(stored * self.original_bytes / self.sampled_bytes)

    def _time(self, seconds: float) -> str:
        return _duration(seconds * self.original_bytes / self.sampled_bytes)

    def _chart(self) -> str:
        """A bar for each effort, as long as what it stores, beside that of the original."""
        bars = [('original', self.sampled_bytes), *((e.name, e.stored_bytes) for e in self.efforts)]
        longest = max(stored for _, stored in bars)
        lines = []
        for i, (name, stored) in enumerate(bars):
            y, width = 22 * i, 300 * stored / longest
            colour = '#9a9a9a' if i == 0 else '#3b78b8'
            lines.append(
                f'<text x="64" y="{y + 15}" text-anchor="end">{name}</text>'
                f'<rect x="70" y="{y + 3}" width="{width:.1f}" height="16" fill="{colour}"/>'
                f'<text x="{76 + width:.1f}" y="{y + 15}">{self._whole(stored)}</text>'
            )
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="450" height="{22 * len(bars)}" '
            f'viewBox="0 0 450 {22 * len(bars)}" font-family="sans-serif" font-size="12" fill="currentColor">'
            f'<title>Bytes stored by each effort</title>{"".join(lines)}</svg>'
        )


def _size(count: float) -> str:
    for unit in ('bytes', 'KiB', 'MiB', 'GiB'):
        if count < 1000:
            break
        count /= 1024
    else:
        unit = 'TiB'
    return f'{count:.0f} {unit}' if unit == 'bytes' or count >= 100 else f'{count:.3g} {unit}'


def _duration(seconds: float) -> str:
    if seconds < 1:
        return f'{1000 * seconds:.{1 if seconds < 0.01 else 0}f} ms'
    return f'{seconds:.1f} s' if seconds < 100 else f'{seconds / 60:.0f} min'


def analyze(data: Any, type: str | None, sample: int, threads: int) -> Analysis:
    array = _npy.numbers_of(numpy.frombuffer(data, 'u1') if isinstance(data, (bytes, bytearray)) else data)
    if array.nbytes == 0:
        raise ValueError('there are no numbers to analyze')
    if sample < 1:
        raise ValueError('`sample` must be 1 byte or more')
    numbers = _samples(array, sample)
    return Analysis(
        array=f'array of {array.dtype}, shape {array.shape}',
        type=type if type is not None else _core.type_of(numbers)[0],
        original_bytes=array.nbytes,
        sampled_bytes=numbers.nbytes,
        efforts=tuple(_measured(numbers, type, effort, threads) for effort in _EFFORTS),
        plan=_core.plan(numbers, type=type),
    )


def _samples(array: numpy.ndarray[Any, Any], most: int) -> numpy.ndarray[Any, Any]:
    """All numbers in the order of memory, or pieces of them that begin with a row."""
    numbers = array.ravel('K')
    if array.nbytes <= most:
        return numbers
    item = array.itemsize
    length = max(most // _PIECES // item, 1)
    row = array.shape[-1] if array.flags.c_contiguous else array.shape[0]
    row = row if row <= length else 1
    length -= length % row
    starts = [round(i * (numbers.size - length) / (_PIECES - 1)) // row * row for i in range(_PIECES)]
    return numpy.concatenate([numbers[start:start + length] for start in starts])


def _measured(numbers: numpy.ndarray[Any, Any], type: str | None, effort: _Name, threads: int) -> Effort:
    begin = time.perf_counter()
    stored = _core.compress(numbers, type=type, effort=effort, threads=threads)
    middle = time.perf_counter()
    restored = _core.decompress(stored, threads=threads)
    end = time.perf_counter()
    assert len(restored) == numbers.nbytes
    return Effort(effort, len(stored), numbers.nbytes / len(stored), middle - begin, end - middle)
