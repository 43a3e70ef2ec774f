# SPDX-License-Identifier: Apache-2.0
"""What valid plans cost a decoder, in processor time for each byte of the original and for each stored byte.
The last table has short chunks too, where a plan weighs more than the numbers: there the bytes of both count.

    PYTHONPATH=build/release/bindings/python python3 tests/bench/costly_plans.py        needs xxhash and zstandard

The model of FORMAT.md writes lone blocks of 64 KiB that ask for as much work as section 6 allows; tdz decodes
them. No writer of tdz makes most of these plans.
"""
import os, random, sys, time
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'model'))
sys.dont_write_bytecode = True
import tdz
import writer

R, BYTES, SHORT = random.Random(1), 65536, (1, 64, 256, 1024, 4096, 16384)
DEEP = [(8, 1, l - 1 if l % 9 else None, int(l % 9 > 0), 0) for l in range(252)]  # chains of 8 sources
FACTORS = [[R.randrange(-2000, 2000) for _ in range(16)] for _ in range(256)]


def predict(s=1):
    return 'predict', s, 1, lambda block: (12, [R.randrange(-900, 900) for _ in range(32)])


def grid(predictors=256):
    return 'grid', 1, 1, 64, 8, 0xFFFF, FACTORS[:predictors], lambda block: block % predictors


def scale(w):
    return 'scale', 1, 0, [(1.0, 1.0 + i) for i in range(16)], 'raw'


def column(w, *steps):
    return {'width': w, 'count': 1, 'steps': list(steps)}


EIGHT = ('difference', 1, 8, 0)
REST = EIGHT, EIGHT, predict(), grid(4), ('zigzag',), ('tokens', 1, 0, 0, 0)
PLANS = [
    ('plain bytes, raw blocks', [column(1)]),
    ('plain bytes of 64 columns', [column(1)] * 64),
    ('planes, 8 bytes', [column(8, ('planes',))]),
    ('bit-planes', [column(1, ('bit-planes',))]),
    ('bit-planes, 8 bytes', [column(8, ('bit-planes',))]),
    ('difference of order 8 twice', [column(1, EIGHT, EIGHT)]),
    ('the same, tuples of 1000', [column(1, ('difference', 1000, 8, 0), ('difference', 999, 8, 10))]),
    ('the same, 3 bytes', [column(3, EIGHT, EIGHT)]),
    ('zigzag 8 times', [column(1, *[('zigzag',)] * 8)]),
    ('lanes, 8 sources in a chain, order 8', [column(1, ('lanes', 252, 10, DEEP))]),
    ('predict of 32', [column(1, predict())]),
    ('predict of 32, 256 lanes', [column(1, predict(256))]),
    ('predict of 32, 8 bytes', [column(8, predict())]),
    ('grid of 16 neighbours', [column(1, grid())]),
    ('grid of 16 neighbours, 8 bytes', [column(8, grid())]),
    ('scale, 16 pairs', [column(1, scale(1))]),
    ('tokens of raw bits', [column(1, ('tokens', 1, 0, 0, 0))]),
    ('packed', [column(1, ('packed', 1, False))]),
    ('packed, 256 lanes', [column(1, ('packed', 256, False))]),
    ('all of them', [column(1, scale(1), ('lanes', 252, 10, DEEP), *REST)]),
    ('all of them, 64 columns, without lanes', [column(1, scale(1), *REST)] * 64),
]
COSTLIEST = ('plain bytes, raw blocks', 'lanes, 8 sources in a chain, order 8', 'all of them',
             'all of them, 64 columns, without lanes')


def seconds_of(block):
    """The best of five times."""
    best = 1e9
    for _ in range(5):
        loops, begin = 0, time.process_time()
        while time.process_time() - begin < 0.03:
            tdz.decode_block(block)
            loops += 1
        best = min(best, (time.process_time() - begin) / loops)
    return best


def measured(name, columns, data):
    """(stored bytes, seconds)"""
    R.seed(1)
    raw = name.endswith('raw blocks')
    block, _ = writer.chunk(data, columns, raw=raw, checksum=not raw)
    assert tdz.decode_block(block) == data, name
    return len(block), seconds_of(block)


def main():
    value, data = 0, bytearray()
    for _ in range(BYTES):
        value = (value + R.randrange(-3, 4)) % 256
        data.append(value)
    data, cheapest = bytes(data), None
    print('| plan | stored bytes | ns for a byte | ns for a stored byte | times the first |')
    print('|---|---|---|---|---|')
    for name, columns in PLANS:
        stored, took = measured(name, columns, data)
        cheapest = cheapest or took
        print('| %s | %d | %.2f | %.2f | %.0f |' % (name, stored, 1e9 * took / BYTES, 1e9 * took / stored,
                                               took / cheapest), flush=True)
    print('\n| plan: ns for a byte, stored or original, in chunks of | %s |' % ' | '.join(map(str, SHORT)))
    print('|---%s|' % ('|---' * len(SHORT)))
    for name, columns in PLANS:
        if name in COSTLIEST:
            cells = []
            for length in SHORT:
                stored, took = measured(name, columns, data[:length])
                cells.append('%.1f' % (1e9 * took / (stored + length)))
            print('| %s | %s |' % (name, ' | '.join(cells)), flush=True)


if __name__ == '__main__':
    main()
