#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes column_vectors.txt: plans, chunks and their substreams, as tests/model/writer.py codes them.

A line is: name, exact or free, plan, chunk, substreams; all bytes in hex, commas between substreams. `exact`: a plan
without data of the chunk's own, so an encoder gives these very bytes. `free`: it may choose others.

    python3 column_vectors.py > column_vectors.txt
"""
import pathlib
import random
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / 'model'))
import writer as reference  # needs the modules that tests/model/run.sh asks for

WIDTHS = range(1, 9)


def noise(bits, count, seed):
    """Numbers of all magnitudes."""
    chance = random.Random(seed)
    return [chance.getrandbits(chance.randint(1, bits)) for _ in range(count)]


def words(values, width):
    return b''.join((v % 256 ** width).to_bytes(width, 'little') for v in values)


def line(name, columns, chunk, coding=0):
    streams, _ = reference.encode_columns(chunk, columns)
    free = any(step[0] in ('scale', 'predict', 'packed') for c in columns for step in c['steps'])
    print(name, 'free' if free else 'exact', reference.plan_bytes(columns, coding).hex(), chunk.hex() or '-',
          ','.join(s.hex() or '-' for s in streams))


def column(width, *steps, count=1):
    return {'width': width, 'count': count, 'steps': list(steps)}


def every_step():
    rules = [(1, 1, None, 0, 0), (2, 0, 0, 1, 0), (0, 1, 1, 0, 1)]
    steps = [('byteswap',), ('zigzag',), ('planes',), ('bit-planes',), ('tuple-planes', 3), ('difference', 2, 2, 0),
             ('lanes', 3, 0, rules), ('predict', 2, 1, lambda block: (2, (7, -3)[:block + 1])), ('tokens', 2, 3, 1, 0)]
    for width in WIDTHS:
        chunk = words(noise(8 * width, 19, width), width) + b'\xAB' * (width - 1)
        for step in steps:
            line(f'{step[0]}-{width}', [column(width, step)], chunk)
        line(f'together-{width}', [column(width, ('byteswap',), steps[6], steps[7], ('zigzag',), steps[8], count=2)],
             chunk)


def runs():
    for width in (1, 2, 3):
        chunk = words(noise(8 * width, 1027, width), width)
        line(f'restart-{width}', [column(width, ('difference', 1, 2, 10), ('tokens', 1, 2, 1, 10))], chunk)
    rules = [(2, 0, None, 0, 0), (1, 1, 0, 1, 1)]
    line('lanes-restart', [column(1, ('lanes', 2, 10, rules))], words(noise(8, 2060, 5), 1))


def scales():
    numbers = [i * 0.25 for i in range(40)] + [1e-9, float('inf')] + [7.5] * 3
    doubles = struct.pack('<45d', *numbers)
    line('scale-f64', [column(8, ('scale', 1, 1, [(1, 4)], 'raw'))], doubles)
    line('scale-f64-pairs', [column(8, ('scale', 2, 1, [(1, 4), (1, 10)], 'raw'), ('planes',))], doubles)
    floats = struct.pack('<31f', *([i * 0.5 for i in range(30)] + [-0.0]))
    line('scale-f32', [column(4, ('scale', 1, 1, [(1, 2)], 'constant'), ('difference', 1, 1, 0))], floats)
    for width in WIDTHS:
        hundreds = words([100 * i for i in range(20)] + [1, 2] if width > 1 else range(0, 100, 5), width)
        line(f'scale-{width}', [column(width, ('scale', 1, 0, [(5, 1)], 'raw'), ('zigzag',))], hundreds)
    fill = words([1, 99, 99, 3, 99, 5, 6, 99], 2)
    line('fill', [column(2, ('scale', 2, 0, [], 'constant'), ('difference', 1, 1, 0))], fill)


def packed():
    for width in WIDTHS:
        top, tail = 8 * width, b'\xAB' * (width - 1)
        widths = range(0, top + 1, max(1, top // 20))  # from 24 bits on more than the 16 that packed can list
        every = words([2 ** bits - 1 for bits in widths for _ in range(16)] + noise(top, 7, width), width)
        line(f'packed-widths-{width}', [column(width, ('packed', 1))], every + tail)
        line(f'packed-loose-{width}', [column(width, ('packed', 3, True))], words(noise(top, 50, width), width) + tail)
        residuals = words([i * i // 3 + v % 5 for i, v in enumerate(noise(8, 97, width))], width)
        line(f'packed-after-steps-{width}', [column(width, ('difference', 2, 1, 0), ('zigzag',), ('packed', 2))], residuals)
    numbers = noise(12, 300, 7)
    for n in (1, 2, 3, 4, 47, 48, 49, 50, 51, 95, 96, 97, 300):  # a block has 48 words
        line(f'packed-{n}', [column(2, ('packed', 3))], words(numbers[:n], 2))
    for n in (1, 255, 256, 257, 300):
        line(f'packed-256-{n}', [column(2, ('packed', 256))], words(numbers[:n], 2))
    line('packed-zeros', [column(4, ('packed', 2))], bytes(4 * 600))
    line('packed-places', [column(1, ('packed', 5))], words([v % 2 ** (i // 500) for i, v in enumerate(noise(8, 4202, 3))], 1))
    line('packed-scale', [column(4, ('scale', 2, 0, [(5, 1)], 'raw'), ('packed', 2))], words([5 * i for i in range(60)] + [7], 4))
    columns = [column(2, ('zigzag',), ('packed', 2), count=2), column(3), column(8, ('packed', 1)),
               column(1, ('packed', 7), count=3)]
    chunk = random.Random(11).randbytes(18 * 40 + 5)
    for length in (5, 18, 19, 18 * 16, 18 * 17, len(chunk)):
        line(f'packed-rows-{length}', columns, chunk[:length])


def numbers_of_the_text():
    """The examples of FORMAT.md, "Steps by numbers"."""
    line('example-tokens', [column(2, ('tokens', 1, 2, 1, 0))], words([3, 5, 100, 300], 2))
    line('example-packed', [column(2, ('packed', 2))], words([1, 5, 3, 0, 2, 7], 2))
    line('example-predict', [column(2, ('predict', 1, 1, lambda block: (1, (4, -2))))], words([10, 12, 15, 20], 2))
    rules = [(1, 1, None, 0, 0), (0, 0, 0, 1, 0)]
    line('example-lanes', [column(2, ('lanes', 2, 0, rules))], words([10, 3, 12, 11, 9, 14], 2))
    line('example-scale', [column(2, ('scale', 1, 0, [(5, 2)], 'raw'))], words([5, 8, -3, 13], 2))


def rows():
    chunk = random.Random(9).randbytes(61)
    columns = [column(1, ('zigzag',)), column(3, ('difference', 1, 1, 0), ('planes',), count=2), column(4),
               column(2, ('tokens', 1, 3, 0, 0))]
    for length in (0, 1, 12, 13, 14, 61):
        line(f'rows-{length}', columns, chunk[:length])
    line('uniform', columns, chunk, coding=1)


if __name__ == '__main__':
    every_step()
    runs()
    scales()
    packed()
    numbers_of_the_text()
    rows()
