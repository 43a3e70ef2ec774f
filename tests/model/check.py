# SPDX-License-Identifier: Apache-2.0
"""Tests of format 1.1, as formats/FORMAT.md describes it: check.py FORMAT [SECONDS [SEED]].

Random plans go through writer, page and strict reader; crafted and damaged files through strict reader and recovery.
Prints what was covered. Files are written to the current folder.
"""
import collections, io, itertools, math, random, re, struct, subprocess, sys, time
import numpy as np
import zstandard
import bad, dump, page, recovery, strict, writer

note, seconds, seed = None, 60, 1
R = random.Random(seed)
covered = collections.Counter()
case = None


def begin(part, number=0):
    """Seeds each case by itself, so that none depends on how many came before."""
    global case
    case = '%d %s %d' % (seed, part, number)
    R.seed(case)


def decode_frames(packed):
    out = b''
    while packed:
        d = zstandard.ZstdDecompressor().decompressobj()
        out += d.decompress(packed)
        packed = d.unused_data
    return out


class Fast:
    """The zstd command by a library call, for speed."""
    PIPE = -1

    @staticmethod
    def run(command, input, stdout, check):
        return type('Done', (), {'stdout': decode_frames(input)})


# Data

def some_words(n, w):
    mod = 1 << 8 * w
    how = R.randrange(9)
    if how == 0:
        return [R.randrange(mod) for _ in range(n)]
    if how == 1:
        return [(i * 3 + R.randrange(4)) % mod for i in range(n)]
    if how == 2:
        return [R.choice([0, 1, mod - 1, mod >> 1, (mod >> 1) - 1]) for _ in range(n)]
    if how == 3:
        a, v = [], mod >> 1
        for _ in range(n):
            v = (v + R.randrange(-9, 10)) % mod
            a.append(v)
        return a
    if how == 4:
        return [7 % mod] * n
    if how == 5:
        return [int(mod * (0.5 + 0.49 * math.sin(i / 17))) % mod for i in range(n)]
    if how == 6:
        return [R.randrange(1 << R.randrange(1, 8 * w + 1)) for _ in range(n)]
    if how == 7:  # stretches of few bits and of many
        a = []
        while len(a) < n:
            bits = R.randrange(8 * w + 1)
            a += [R.getrandbits(bits) if bits else 0 for _ in range(R.choice([1, 16, 48, 16 * R.randrange(1, 9)]))]
        return a[:n]
    return [0] * n


def some_floats(n, w):
    num, den = R.choice([(1.0, 100.0), (1.0, 10.0), (13107.0, 200000.0), (1.0, 24400.0), (0.1, 1.0), (1.0, 1e6)])
    out, v = [], R.randrange(-5000, 5000)
    for _ in range(n):
        v += R.randrange(-20, 21)
        bits = writer.descale(v, num, den, 1, w)
        if R.random() < 0.03:
            bits = R.choice([0x7FC00000, 0xFF800000, 0x80000000, 1, 0x7F800001]) if w == 4 else R.choice(
                [0x7FF8000000000000, 0xFFF0000000000000, 1 << 63, 1, 0x7FF0000000000001])
        out.append(bits)
    return out


def some_column_words(n, c):
    w = c['width']
    kinds = [s[2] for s in c['steps'] if s[0] == 'scale']
    if kinds and c['steps'][0][0] == 'scale' and kinds[0] == 1 and R.random() < 0.8:
        return some_floats(n, w)
    return some_words(n, w)


# Plans

def some_tuple(n, top):
    return max(1, min(top, R.choice([1, 1, 1, 2, 3, 4, 5, 8, n, n + 1, 2 * n + 3, R.randrange(1, 20), top])))


def some_pair():
    p = [(1.0, 100.0), (1.0, 10.0), (13107.0, 200000.0), (1.0, 24400.0), (1.0, 48800.0), (0.1, 1.0), (1.0, 1e6),
         (1.0, 1.0), (2.0 ** -300, 1.0), (1.0, 2.0 ** 300), (3.0, 7.0), (2.0 ** 300, 2.0 ** -300), (1000.0, 1.0)]
    return R.choice(p)


def some_lanes(s):
    table = []
    for l in range(s):
        source, lag, after = None, 0, 0
        if l and R.random() < 0.6:
            source, lag, after = R.randrange(l), R.randrange(2), R.randrange(2)
            deep, at = 1, source
            while at is not None:
                deep, at = deep + 1, table[at][2]
            if deep - 1 > 8:
                source, lag, after = None, 0, 0
        table.append((R.randrange(9), R.randrange(2), source, lag, after))
    p = list(range(s))
    R.shuffle(p)  # sources may stand behind
    moved = [None] * s
    for l, e in enumerate(table):
        moved[p[l]] = (e[0], e[1], None if e[2] is None else p[e[2]], e[3], e[4])
    return moved


def some_choice():
    cases = [(R.randrange(16), [R.randrange(-32768, 32768) for _ in range(R.choice([0, 1, 2, 3, 8, 12, 32]))])
             for _ in range(3)] + [(0, [2, -1]), (10, [2048, -1024])]
    return lambda number: cases[number * 7 % len(cases)]


def some_grid(n):
    bits = R.sample(range(24), R.choice([1, 2, 5, 8, 14, 16]))
    predictors = [[R.choice([R.randrange(-32768, 32768), R.randrange(-4096, 4096)]) for _ in bits]
                  for _ in range(R.choice([1, 2, 16, 256]))]
    turn = R.randrange(1, 99)
    return ('grid', R.choice([1, 1, 2, 3, 16]), R.randrange(2), R.choice([16, 17, 33, 50, 2 ** 32 - 1]),
            R.choice([0, 1, 2, 3, 9, 2 ** 32 - 1]), sum(1 << b for b in bits), predictors,
            lambda block: block * turn % len(predictors))


def some_column(n, w=None):
    w = w or R.choice([1, 2, 3, 4, 4, 5, 6, 7, 8, 8])
    steps = []
    once, orders = set(), 0
    for _ in range(R.choice([0, 1, 1, 2, 2, 3, 4, 7])):
        name = R.choice(['byteswap', 'difference', 'zigzag', 'scale', 'lanes', 'predict', 'grid'])
        r = R.choice([0, 0, 10, 10, 11, 12, 16])
        if name == 'difference':
            order = min(R.randrange(1, 9), 16 - orders)
            if order:
                orders += order
                steps.append((name, R.choice([some_tuple(n, 300), some_tuple(n, 2 ** 32 - 1)]), order, r))
        elif name in once:
            continue
        elif name == 'scale':
            once.add(name)
            kind = R.randrange(2) if w in (4, 8) else 0
            pairs = [some_pair() for _ in range(R.choice([0, 1, 1, 2, 3, 16]))]
            step = (name, some_tuple(n, 256), kind, pairs, R.choice(['raw', 'constant']))
            steps = R.choice([[step] + steps, steps + [step]])
        elif name == 'lanes':
            once.add(name)
            s = some_tuple(n, 256)
            steps.append((name, s, r, some_lanes(s)))
        elif name == 'predict':
            once.add(name)
            steps.append((name, some_tuple(n, 256), R.randrange(2), some_choice()))
        elif name == 'grid':
            once.add(name)
            steps.append(some_grid(n))
        else:
            steps.append((name,))
    last = R.choice([None, 'planes', 'tuple-planes', 'bit-planes', 'tokens', 'tokens', 'packed', 'packed'])
    if last == 'tuple-planes':
        steps.append((last, R.choice([some_tuple(n, 300), 2 ** 32 - 1])))
    elif last == 'tokens':
        choices = [(k, m) for k in range(8) for m in range(k + 1) if 2 ** k + (8 * w - k) * 2 ** m <= 256]
        steps.append((last, some_tuple(n, 256), *R.choice(choices), R.choice([0, 0, 10, 11, 16])))
    elif last == 'packed':
        steps.append((last, some_tuple(n, 256), R.random() < 0.3))
    elif last:
        steps.append((last,))
    return {'width': w, 'count': 1, 'steps': steps}


def some_chunk(most):
    if R.random() < 0.6:
        columns = [some_column(R.choice([0, 1, 7, 50, 3000]))]
    else:
        columns = [some_column(R.choice([1, 2, 50])) for _ in range(R.choice([2, 3, 4, 6, 64]))]
        for c in columns:
            c['count'] = R.choice([1, 1, 2, 3, 5])
    row = sum(c['width'] * c['count'] for c in columns)
    length = R.choice([R.randrange(1, 64), R.randrange(1, 3000), R.randrange(1, most), R.randrange(1, 4) * row,
                       R.randrange(1, row + 1), R.randrange(20, 60) * row])
    length = max(1, min(length, most))
    rows = length // row
    data = bytearray(rows * row)
    at = 0
    for c in columns:
        words = some_column_words(rows * c['count'], c)
        block = np.frombuffer(b''.join(v.to_bytes(c['width'], 'little') for v in words), np.uint8)
        size = c['width'] * c['count']
        np.frombuffer(data, np.uint8).reshape(-1, row)[:, at:at + size] = block.reshape(rows, size)
        at += size
    return bytes(data) + R.randbytes(length - len(data)), columns


def fitting_chunk(most):
    """A chunk whose substreams are within S, as those of every writer."""
    while True:
        data, columns = some_chunk(most)
        if sum(map(len, writer.encode_columns(data, columns)[0])) <= 5 * len(data) // 2 + 65536:
            return data, columns


# What CHK alone says about the lengths of substreams

def lane_counts(n, s):
    return [len(range(l, n, s)) for l in range(min(s, n))]


def lengths_are_legal(plan, length, lengths):
    heads = [struct.unpack_from('<BBH', plan, 4 + 4 * c) for c in range(plan[0])]
    row = sum(w * count for w, _, count in heads)
    at, given, ok = 4 + 4 * plan[0], iter(lengths), True
    for w, steps, count in heads:
        n, laid = length // row * count, False
        for _ in range(steps):
            step, size = struct.unpack_from('<HH', plan, at)
            p, at = plan[at + 4:at + 4 + size], at + 4 + size
            if step == 7:
                s, = struct.unpack_from('<H', p)
                pairs, selectors, bitmap, raw = (next(given, -1) for _ in range(4))
                if n == 0:
                    ok &= pairs == selectors == bitmap == raw == 0
                    continue
                ok &= pairs % 16 == 0 and pairs <= 256
                ok &= selectors == (sum(-(-c // 1024) for c in lane_counts(n, s)) if pairs > 16 else 0)
                ok &= bitmap in (0, -(-n // 8))
                ok &= raw % w == 0 and raw <= (n * w if bitmap else 0)
                covered['scale: ' + ('no hole' if not bitmap else 'one hole word' if raw == w else 'raw hole words')] += 1
                covered['scale: selectors'] += selectors > 0
            elif step == 9:
                s, = struct.unpack_from('<H', p)
                blocks = sum(-(-c // 4096) for c in lane_counts(n, s))
                side = next(given, -1)
                ok &= side % 2 == 0 and 2 * blocks <= side <= 66 * blocks
            elif step == 10:
                s, k, m, r = struct.unpack_from('<HBBB', p)
                ok &= next(given, -1) == n
                ok &= next(given, -1) <= n * w
                laid = True
            elif step == 11:
                s, = struct.unpack_from('<H', p)
                G = s * (n // (16 * s)) + min(n % (16 * s), s)
                widths, codes, places, bits = (next(given, -1) for _ in range(4))
                ok &= min(n, 1) <= widths <= min(16 * n, 16)
                ok &= (codes, places) == ((G + 1) // 2, (G + 255) // 256 * 4)
                ok &= bits % 2 == 0 and bits <= 2 * 8 * w * G
                laid = True
            elif step == 13:
                s, line, height, T = *struct.unpack_from('<HxxII', p), sum(bin(byte).count('1') for byte in p[12:])
                Y = n // (s * line)
                H = min(height or Y, Y)
                B = -(-line // 16) * s * (Y // H * -(-H // 8) + -(-(Y % H) // 8)) if Y else 0
                choices, predictors = next(given, -1), next(given, -1)
                ok &= choices == B and (2 * T <= predictors <= 512 * T and predictors % (2 * T) == 0 if B else predictors == 0)
                covered['grid: ' + ('no line' if Y == 0 else 'one slice' if H == Y else 'slices')] += 1
            elif step in (4, 5, 6):
                ok &= next(given, -1) == n * w
                laid = True
        if not laid:
            ok &= next(given, -1) == n * w
    if length % row:
        ok &= next(given, -1) == length % row
    return ok and next(given, None) is None and at == len(plan)


def check_chunk(data, columns, coding=0):
    streams, blocks = writer.encode_columns(data, columns, coding == 1)
    plan = writer.plan_bytes(columns, coding)
    lengths = [len(s) for s in streams]
    what = (len(data), columns, lengths)
    assert len(streams) <= 1024 and sum(lengths) >= 1, what
    assert lengths_are_legal(plan, len(data), lengths), what
    assert page.columns(plan, len(data), iter(streams)) == data, what
    columns_, row = strict.read_plan(plan)
    strict.judge_lengths(columns_, row, len(data), tuple(lengths))
    if len(data) < 3000 or R.random() < 0.1:
        assert strict.undo(columns_, row, len(data), b''.join(streams), tuple(lengths)) == data, what
        covered['by the strict reader'] += 1
    i = R.randrange(len(lengths))
    longer = lengths[:i] + [lengths[i] + 1] + lengths[i + 1:]
    if lengths_are_legal(plan, len(data), longer):  # only raw bits, hole words of one byte and widths are so free
        covered['lengths: one byte more is legal by CHK'] += 1
    else:
        covered['lengths: one byte more is refused by CHK'] += 1
    assert not lengths_are_legal(plan, len(data), lengths + [0]) and not lengths_are_legal(plan, len(data) + 10 ** 6, lengths)
    for c in columns:
        for st in c['steps']:
            if st[0] == 'scale':
                covered['scale: T = %d' % len(st[3])] += 1
            if st[0] == 'tokens':
                covered['tokens: r = %d' % st[4]] += 1
            if st[0] == 'packed':
                covered['packed: ' + ('loose' if st[2] else 'tight')] += 1
                covered['packed: s above the number of words'] += st[1] > len(data) // c['width']
    covered['with a rest'] += len(data) % sum(c['width'] * c['count'] for c in columns) > 0
    for c in columns:
        covered['width %d' % c['width']] += 1
        if len(data) < sum(c['width'] * c['count'] for c in columns):
            covered['no row'] += 1
        for a, b in zip(c['steps'], c['steps'][1:]):
            covered['%s, then %s' % (a[0], b[0])] += 1
        for s in c['steps']:
            covered['step ' + s[0]] += 1
    covered['chunks of %s' % ('one column' if len(columns) == 1 else 'several columns')] += 1
    if sum(lengths) > len(data) * 5 // 2 + 65536:
        covered['beyond S (a writer must not choose it)'] += 1


def restore(file):
    out = io.BytesIO()
    page.restore(io.BytesIO(file), out)
    return out.getvalue()


def check_files(count):
    """Whole files: several chunks, several parts of the index, padding, growth; the real command on some."""
    page.subprocess = Fast
    for number in range(count):
        begin('file', number)
        chunks = []
        for _ in range(R.choice([0, 1, 1, 2, 5])):
            data, columns = fitting_chunk(6000)
            chunks.append((data, columns, 0))
        file = writer.stream(chunks, largest_frame=R.choice([4096, 5000, 1 << 20]), known=R.random() < 0.5,
                             whole=R.random() < 0.5, nominal=R.choice([b'', b'i16x2', b'u64,f32x5,u32']),
                             entries_a_part=R.choice([65536, 1, 2]),
                             note=R.choice([None, None, b'', b'any', R.randbytes(100)]))
        data = b''.join(d for d, _, _ in chunks)
        assert file[16:18] == bytes([1, any(s[0] in ('packed', 'grid') for _, columns, _ in chunks for c in columns for s in c['steps'])])
        covered['files of version 1.%d' % file[17]] += 1
        assert restore(file) == strict.read(file) == data
        assert restore(file + bytes(R.randrange(20)) + file + bytes(9)) == data + data
        covered['files'] += 1
        if number % 10 == 0:
            with open('check.tdz', 'wb') as f:
                f.write(file)
            subprocess.run(['zstd', '-q', '-t', 'check.tdz'], check=True)
            subprocess.run([sys.executable, page.__file__, 'check.tdz', 'check.out'], check=True)
            assert open('check.out', 'rb').read() == data
            covered['files by the command, accepted by zstd -t'] += 1


def check_uniform(until):
    """Coding 1: libzstd, the page and the model of a device give the same; wrong entries leave no opinion."""
    import device, uniform
    for number in itertools.count():
        if number >= 4 and time.time() > until:
            break
        begin('uniform', number)
        w, s, r = R.choice([1, 2, 2, 4, 8, 3]), R.choice([1, 1, 1, 2, 3, 5]), R.choice([10, 10, 10, 10, 11, 12])
        choices = [(k, m) for k in range(8) for m in range(k + 1) if 2 ** k + (8 * w - k) * 2 ** m <= 128 or w == 1]
        noise = number % 5 == 0  # a first block of noise in each lane, then few values: its tree stands in block 1
        k, m, w = (7, 7, 1) if noise else R.choice(choices) + (w,)
        steps = [('tokens', s, k, m, r)]
        if R.random() < 0.7 and not noise:
            steps = [('difference', s, R.randrange(1, 4), r), ('zigzag',)] + steps
        if R.random() < 0.3 and not noise:
            steps = [('scale', s, 0, [(1.0, 1.0), (2.0, 1.0)], 'raw')] + steps
        columns = [{'width': w, 'count': 1, 'steps': steps}]
        if R.random() < 0.3:
            columns += [some_column(50) for _ in range(R.choice([1, 2]))]
        row = sum(c['width'] for c in columns)
        L = 4 << r
        n = min(R.choice([3, L - 1, L * s, R.randrange(L, 20 * L), R.randrange(L, 40 * L)]), 90000)
        n = max(n, 2 * L * s) if noise else n
        data = bytearray(n * row)
        at = 0
        for c in columns:
            words = some_words(n, c['width'])
            if noise and c is columns[0]:
                words = [R.randrange(256 if i < L * s else 9) for i in range(n)]
            block = b''.join(v.to_bytes(c['width'], 'little') for v in words)
            np.frombuffer(data, np.uint8).reshape(n, row)[:, at:at + c['width']] = np.frombuffer(
                block, np.uint8).reshape(n, c['width'])
            at += c['width']
        data = bytes(data) + R.randbytes(R.randrange(row))
        uniform_limit = R.choice([7, 8, 11])
        kept, uniform.frames.__defaults__ = uniform.frames.__defaults__, (R.choice([8, 16, 32]), uniform_limit, R.random() < 0.5,
                                                                            R.random() < 0.5)
        try:
            file, plan = writer.chunk(data, columns, coding=1)
            stream = writer.stream([(data, columns, 1)], C=4 << 20, largest_frame=4 << 20)
        finally:
            uniform.frames.__defaults__ = kept
        assert restore(stream) == strict.read(stream) == strict.lone(file) == data
        streams, blocks = writer.encode_columns(data, columns, True)
        assert lengths_are_legal(plan, len(data), [len(x) for x in streams])
        length, plan_bytes, N, F, G = struct.unpack_from('<5I', file, 64)
        S = len(data) * 5 // 2 + 65536
        assert F <= S // 4096 + N and G <= len(data) // 4096 + 16384, (F, G)
        found = device.uniform_words(file)
        assert G == sum(-(-lane // (4 << b[2])) for b in blocks for lane in b[1])
        place = blocks[0][0]
        side = streams[place:place + 2]  # the words that enter tokens, decoded by the page from the same substreams
        x = [int(v) for v in page.untoken(n, s, k, m, r, side)]
        for l in range(min(s, n)):
            assert found[0, l] == x[l::s]
        covered['uniform: chunks'] += 1
        covered['uniform: blocks'] += G
        size = struct.unpack_from('<I', file, 4)[0] + 8
        first = 96 + -(-plan_bytes // 8) * 8 + -(-N // 2) * 8 + 8 * F
        for i in range(G):
            covered['uniform: blocks of type %d' % file[first + 12 * i + 2]] += 1
        for _ in range(6 if G else 0):  # any changed entry is noticed
            i = first + R.randrange(12 * G)
            wrong = file[:i] + bytes([file[i] ^ 1 << R.randrange(8)]) + file[i + 1:]
            try:
                device.uniform_words(wrong)
                assert False, 'a wrong entry passed'
            except (device.NoOpinion, StopIteration):
                covered['uniform: wrong entries noticed'] += 1
            assert strict.lone(bad.reseal(wrong[:size]) + wrong[size:]) == data
            covered['uniform: wrong entries ignored by the strict reader'] += 1


def check_lone_blocks(count):
    """CHK and frames alone, with fields that a later minor version may append."""
    for _ in range(count):
        data, columns = fitting_chunk(3000)
        growth, raw, checksum = R.choice([b'', R.randbytes(40)]), R.random() < 0.3, R.random() < 0.5
        block, _ = writer.chunk(data, columns, R.choice([4096, 1 << 20]), growth=growth, tag=R.randrange(9), chain=R.randrange(9),
                                raw=raw, checksum=checksum)
        covered['lone blocks, each substream in raw blocks'] += raw
        covered['lone blocks of raw blocks without a checksum'] += raw and not checksum
        size = struct.unpack_from('<I', block, 4)[0] + 8
        source = io.BytesIO(block[size:])
        assert page.chunk(source, block[:size]) == (0, 0, data) and source.read() == b'' and strict.lone(block) == data
        covered['lone blocks'] += 1


def verdict(reader, data):
    try:
        return reader(data)
    except strict.Bad as e:
        return type(e).__name__.lower()


def check_bad_files(count):
    """Every rule of section 5 by a file of its own; every cut; flipped bits; mutations under right checks."""
    for key, number in bad.main().items():
        covered['bad files: ' + key] += number
    file = bad.stream((b'abc', b'de'), parts=[1, 2], notes=(1, 4))
    for length in range(len(file)):
        assert verdict(strict.read, file[:length]) == 'truncated', length
        assert verdict(strict.read, file + file[:length]) in (b'abcde', 'truncated')
        covered['bad files: cuts'] += 1
    for bit in range(8 * len(file)):
        broken = bytearray(file)
        broken[bit // 8] ^= 1 << bit % 8
        assert verdict(strict.read, bytes(broken)) in (b'abcde', 'truncated', 'unsupported', 'corrupt')
        covered['bad files: flipped bits'] += 1
    for _ in range(3 * count):  # records with wrong fields under right checks
        chunks = [some_chunk(300) + (0,) for _ in range(R.choice([1, 2]))]
        file = writer.stream(chunks, note=R.choice([None, b'x']))
        found = recovery.records(file)
        p, kind, whole = R.choice(found)
        whole = bytearray(whole)
        i = R.choice([R.randrange(12, 24), R.randrange(32, min(96, len(whole) - 8)), R.randrange(32, len(whole) - 8)])
        whole[i] = R.choice([whole[i] ^ 1 << R.randrange(8), 0, 1, 255, R.randrange(256)])
        got = verdict(strict.read, file[:p] + bad.reseal(whole) + file[p + len(whole):])
        data = b''.join(d for d, _, _ in chunks)
        assert got in (data, 'truncated', 'unsupported', 'corrupt'), (kind, i)
        covered['wrong fields: ' + (got if isinstance(got, str) else 'the same bytes')] += 1
    for _ in range(count):
        data, columns = some_chunk(1500)
        streams, _ = writer.encode_columns(data, columns)
        plan, joined = bytearray(writer.plan_bytes(columns, R.randrange(2))), bytearray(b''.join(streams))
        if sum(map(len, streams)) > len(data) * 5 // 2 + 65536:
            continue
        for _ in range(8):
            p, j, lengths = bytearray(plan), bytearray(joined), [len(s) for s in streams]
            how = R.randrange(3)
            if how == 0:
                p[R.randrange(len(p))] = R.choice([0, 1, 2, 3, 7, 8, 10, 11, 255, R.randrange(256)])
            elif how == 1:
                j[R.randrange(min(len(j), R.choice([40, 10 ** 9])))] ^= 1 << R.randrange(8)
            else:
                a, b = R.randrange(len(lengths)), R.randrange(len(lengths))
                d = min(R.choice([1, 2, 8, 100]), lengths[a])
                lengths[a], lengths[b] = lengths[a] - d, lengths[b] + d
            block = bad.chk(data, bytes(p), lengths, [writer.zstd_frame(bytes(j))], [len(j)])
            got = verdict(strict.lone, block)
            assert got in (data, 'unsupported', 'corrupt')
            covered['mutations: ' + (got if isinstance(got, str) else 'the same bytes')] += 1


def check_index_limits():
    """65537 chunks in a part, and more than 1 MiB of plans, are corrupt at that chunk; at the limit both are right."""
    lanes = [(1, 0, None, 0, 0)] * 256
    plans = [bad.plan_of([(1, 1, [bad.step('lanes', 256, 10 + i % 7, [(i % 9, j, None, 0, 0)] + lanes[1:])])] * (58 + i // 9 % 3))
             for i in range(40) for j in (0, 1)]
    kept = []
    while sum(map(len, kept)) + len(plans[len(kept)]) <= 1 << 20:
        kept.append(plans[len(kept)])

    def made(k):
        return bad.stream([b'x'] * k, plans=plans[:k], chunk=lambda n: dict(
            lengths=[0] * plans[n][0] + [1], frames=[bad.frame(b'x')]))
    assert len(set(plans[:len(kept) + 1])) == len(kept) + 1
    assert strict.read(made(len(kept))) == b'x' * len(kept)
    assert verdict(strict.read, made(len(kept) + 1)) == 'corrupt'
    covered['plans of 1 MiB in a part: %d' % len(kept)] = 1


def check_vectors():
    """The steps by numbers of section 8."""
    def encoded(steps, words):
        data = b''.join((v % 65536).to_bytes(2, 'little') for v in words)
        return [s.hex(' ').upper() for s in writer.encode_columns(data, [{'width': 2, 'count': 1, 'steps': steps}])[0]]

    def text(*words):
        return b''.join((v % 65536).to_bytes(2, 'little') for v in words).hex(' ').upper()
    assert writer.chain_of([]) == 0x2D06800538D394C2
    assert encoded([('tokens', 1, 2, 1, 0)], [3, 5, 100, 300]) == ['03 04 0D 10', '60 91']
    assert encoded([('packed', 2, False)], [1, 5, 3, 0, 2, 7]) == ['02 03', '10', '00 00 00 00', '2D 00 00 00 C5 01 00 00 00 00']
    assert encoded([('predict', 1, 1, lambda b: (1, [4, -2]))], [10, 12, 15, 20]) == ['02 01 04 00 FE FF', text(10, 2, 1, 2)]
    first = list(range(7, 71, 4))  # a line of 16 points
    assert encoded([('grid', 1, 0, 16, 0, 13, [[4096, 4096, -4096]], lambda b: 0)], first + [v + 2 for v in first] + [9]) == [
        '00', '00 10 00 10 00 F0', text(7, *[4] * 15, 2, *[0] * 15, 9)]
    assert encoded([('lanes', 2, 0, [(1, 1, None, 0, 0), (0, 0, 0, 1, 0)])], [10, 3, 12, 11, 9, 14]) == [text(20, 3, 4, 1, 5, 2)]
    assert encoded([('scale', 1, 0, [(5.0, 2.0)], 'raw')], [5, 8, -3, 13]) == [
        '00 00 00 00 00 00 14 40 00 00 00 00 00 00 00 40', '', '0C', 'FD FF 0D 00', text(2, 3, 3, 3)]


def packed_words(n, s):
    """Words for packed: noise in some lanes, zeros in others, and all widths in turn."""
    def made(w):
        bits = [R.choice([0, 8 * w, R.randrange(8 * w + 1)]) for _ in range(s)]
        how = R.randrange(3)
        return [R.getrandbits(b) if b else 0 for i in range(n)
                for b in [(bits[i % s], i // (16 * s) % (8 * w + 1), (i // s * 5 + i % s) // 16 % (8 * w + 1))[how]]]
    return made


def check_packed(until):
    """Page and strict reader give what the writer packed, at every border of blocks, groups and places."""
    for number in itertools.count():
        if number >= 300 and time.time() > until:
            break
        begin('packed', number)
        w, s = number % 8 + 1, R.choice([1, 1, 2, 3, 4, 5, 16, 17, 255, 256])
        n = max(1, R.choice([R.randrange(1, 40), s, 16 * s, 32 * s, 4096, 16 * s * (-(-256 // s)), 8192])
                + R.choice([0, 0, -1, 1, s, -s, R.randrange(-s, s + 1)]))
        n, loose = min(n, 9000), R.random() < 0.2
        x = packed_words(n, s)(w)
        side = writer.packed(x, w, s, loose)
        widths, codes, places, bits = side
        groups = len(list(strict.groups_of(n, s)))
        assert groups == s * (n // (16 * s)) + min(n % (16 * s), s) and len(places) == 4 * -(-groups // 256)
        assert page.unpack(n, s, side).tolist() == strict.undo_packed(n, s, *side, 8 * w).tolist() == x, (n, w, s)
        natural = {max(x[i] for i in group).bit_length() for group in strict.groups_of(n, s)}
        covered['packed: chunks'] += 1
        covered['packed: more than 16 natural widths'] += len(natural) > 16
        covered['packed: one width'] += len(natural) == 1
        covered['packed: no bits'] += not bits
        covered['packed: s above n'] += s > n
        covered['packed: a short last block'] += n % (16 * s) > 0
        covered['packed: less than a row in the last block'] += 0 < n % (16 * s) < s
        covered['packed: an odd number of groups'] += groups % 2
        covered['packed: several places'] += groups > 256
        damage_packed(n, w, s, side, x)


def damage_packed(n, w, s, side, x):
    """Whatever is changed in packed: the strict reader says corrupt, or the words are others, or the change says nothing."""
    for _ in range(3):
        wrong, part = list(side), R.randrange(4)
        if not wrong[part]:
            continue
        octets = bytearray(wrong[part])
        octets[R.choice([R.randrange(len(octets)), len(octets) - 1])] ^= 1 << R.randrange(8)
        wrong[part] = bytes(octets)
        try:
            got = strict.undo_packed(n, s, *wrong, 8 * w).tolist()
        except strict.Corrupt:
            covered['packed: damage is corrupt'] += 1
            continue
        assert part in (0, 1, 3), 'a wrong place passed'
        assert part != 3 or got != x, 'bits of a word that mean nothing'
        covered['packed: damage gives other words' if got != x else 'packed: damage to an unused or equal width'] += 1


def check_note():
    """The note holds this very page, and the bytes of the example as the writer makes them."""
    with open(note) as f:
        blocks = dict(re.findall(r'^```(hex|python)\n(.*?)^```$', f.read(), re.M | re.S))
    with open(page.__file__) as f:
        assert blocks['python'] == f.read().split('\n', 1)[1], 'page.py, behind its licence line, is not the page of ' + note
    assert blocks['hex'] == dump.text(), 'the example of %s is not what dump.py prints' % note


def check_page_errors():
    """The page restores the example, and says what is wrong where it is cut or its records are out of order."""
    page.subprocess = Fast
    file = bad.stream((b'abc', b'de'), parts=[1, 2], notes=(1, 4))

    def said(data):
        try:
            return restore(data)
        except SystemExit as e:
            return e.code.split(':')[0]
    assert said(dump.file) == dump.data and said(file) == b'abcde'
    found = recovery.records(file)
    cuts = {p for p, _, _ in found} | {p + len(record) for p, _, record in found} - {len(file)}
    for cut in cuts:
        assert said(file[:cut]) == 'truncated', cut
    first, behind, second = found[1][0], found[2][0], [p for p, kind, _ in found if kind == b'CHK '][1]
    for wrong in (file[:behind] + file[first:], file[:first] + file[behind:], file[:second] + file):
        assert said(wrong) == 'corrupt', wrong
    covered['errors of the page'] = len(cuts) + 3


def check_scale_limits():
    """The page's arithmetic against the writer's on values near every limit."""
    cases = 0
    for kind, w in ((0, 1), (0, 2), (0, 3), (0, 4), (0, 7), (0, 8), (1, 4), (1, 8)):
        top = 1 << 8 * w - 1
        q = [v for v in {0, 1, -1, top - 1, -top, 2 ** 53, -2 ** 53, 2 ** 53 - 1, 2 ** 24 + 1, 2 ** 24 + 3, 5, 15, 25,
                         16777217, 33554433, *(R.randrange(-min(top, 2 ** 53), min(top, 2 ** 53)) for _ in range(400))}
             if -top <= v < top and abs(v) <= 2 ** 53]
        for a in (2.0 ** -300, 2.0 ** -126, 2.0 ** -150, 0.1, 0.5, 1.0, 3.0, 1e9, 2.0 ** 75, 2.0 ** 104, 2.0 ** 300):
            for b in (2.0 ** -300, 2.0 ** -75, 0.5, 1.0, 2.0, 3.0, 10.0, 13107.0, 2.0 ** 126, 2.0 ** 149, 2.0 ** 300):
                words = [writer.descale(v, a, b, kind, w) for v in q]
                kept = [(v, x) for v, x in zip(q, words) if x is not None]
                x = np.array([v % (1 << 8 * w) for v, _ in kept], np.uint64)
                got = page.unscale(x, w, 1, kind, [struct.pack('<dd', a, b), b'', b'', b''])
                assert [int(v) for v in got] == [y for _, y in kept], (kind, w, a, b)
                cases += len(kept)
    covered['scale: values near its limits'] = cases


def main():
    end = time.time() + seconds
    print('seed %d, %g seconds' % (seed, seconds), flush=True)
    check_note()
    check_page_errors()
    check_files(60)
    begin('lone blocks')
    check_lone_blocks(100)
    check_vectors()
    begin('bad files')
    check_bad_files(150)
    check_index_limits()
    recovery.main()
    begin('scale limits')
    check_scale_limits()
    check_packed(time.time() + seconds / 6)
    check_uniform(time.time() + seconds / 3)
    for number in itertools.count():
        if number >= 100 and time.time() > end:
            break
        begin('plan', number)
        check_chunk(*some_chunk(R.choice([200, 2000, 30000])))
    begin('long lanes')
    # longer lanes: several blocks of predict, many groups of scale, runs of 2^16
    for w, n in ((1, 140000), (2, 70000), (3, 20000), (4, 20000), (8, 20000)):
        for s in (1, 3):
            steps = [('scale', s, 0, [(1.0, 1.0), (3.0, 1.0)], 'raw'), ('difference', s, 2, 12), ('difference', 1, 8, 0),
                     ('predict', s, 1, some_choice()), ('lanes', s, 16, some_lanes(s)), ('zigzag',),
                     ('tokens', s, 3, 1, R.choice([0, 10, 16]))]
            words = some_words(n, w)
            check_chunk(b''.join(v.to_bytes(w, 'little') for v in words),
                        [{'width': w, 'count': 1, 'steps': steps}])
            covered['long lanes'] += 1
    for key in sorted(covered):
        print(f'{covered[key]:7} {key}')


if __name__ == '__main__':
    note = sys.argv[1]
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else seconds
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else seed
    try:
        main()
    except Exception:
        print('failed in the case seeded by', repr(case), flush=True)
        raise
