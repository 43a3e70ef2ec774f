#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes block_vectors.txt: the lone blocks of tests/model/bad.py, one for each rule of the format, and blocks with
uniform frames or packed as tests/model/writer.py makes them.

A line is: verdict, original, block, name. The verdict is good, corrupt, truncated or unsupported; only a good block has
an original. Bytes are in hex; (NNN*HH) stands for NNN bytes HH; - is nothing.

    python3 block_vectors.py > block_vectors.txt
"""
import itertools
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / 'model'))
sys.dont_write_bytecode = True
import bad  # needs the modules that tests/model/run.sh asks for
import writer


def hexed(data):
    pieces = []
    for value, run in itertools.groupby(data):
        length = len(list(run))
        pieces.append(f'({length}*{value:02x})' if length > 8 else f'{value:02x}' * length)
    return ''.join(pieces) or '-'


def line(name, verdict, block):
    good = isinstance(verdict, bytes)
    print('good' if good else verdict, hexed(verdict) if good else '-', hexed(block), name)


def uniform(name, values, *steps):
    data = b''.join(v.to_bytes(2, 'little') for v in values)
    columns = [{'width': 2, 'count': 1, 'steps': list(steps)}]
    line(name, data, writer.chunk(data, columns, coding=1)[0])


def packed(name, words, frame, *columns):
    data = b''.join(v.to_bytes(2, 'little') for v in words)
    line(name, data, writer.chunk(data, columns, frame=frame, raw=True)[0])


def main():
    for name, data, verdict, is_lone in bad.cases():
        if is_lone:
            line(name, verdict, data)
    chance = random.Random(1)
    ramp = [i // 50 * 257 + chance.randrange(4) for i in range(4096 + 90)]
    uniform('uniform blocks and a remainder', ramp, ('difference', 1, 1, 0), ('zigzag',), ('tokens', 1, 3, 1, 10))
    uniform('uniform blocks of one value', [0x0707] * 8192, ('tokens', 1, 3, 1, 10))
    column = {'width': 2, 'count': 1, 'steps': [('difference', 1, 1, 0), ('zigzag',), ('packed', 1)]}
    noisy = [chance.randrange(1 << i // 300 % 16) for i in range(5003)]
    packed('packed, each substream in raw blocks', ramp, 1 << 20, column)
    packed('packed, each substream in frames of 4096 bytes', noisy, 4096, column)
    packed('packed, two columns', noisy[:3001], 1 << 20, column, {'width': 4, 'count': 2, 'steps': [('packed', 2)]})


if __name__ == '__main__':
    main()
