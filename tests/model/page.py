# SPDX-License-Identifier: Apache-2.0
"""Restores what is in a .tdz without tdz: python3 page.py in.tdz out (needs numpy and the zstd command)."""
import struct, subprocess, sys
import numpy as np

U, I = np.uint64, np.int64
SUBSTREAMS = {4: 1, 5: 1, 6: 1, 7: 4, 9: 1, 10: 2, 11: 4, 13: 2}  # by step
# Neighbours of grid from 2 on: the line, as ungrid lists them, and points to the right
NEIGHBOURS = [(1, 0), (1, -1), (1, 1), (1, -2), (1, 2), (2, 0)]
NEIGHBOURS += [(line, right) for line in (3, 4, 5, 6, 7) for right in (0, -1, 1)] + [(8, 0)]

def words_of(data, w):
    octets = np.zeros((len(data) // w, 8), np.uint8)
    octets[:, :w] = np.frombuffer(data, np.uint8).reshape(-1, w)
    return octets.reshape(-1).view('<u8').astype(U)

def octets_of(x, w):
    return x.astype('<u8').view(np.uint8).reshape(-1, 8)[:, :w]

def cut(x, w):
    """Numbers mod 2^(8w)."""
    return x & U(2 ** (8 * w) - 1)

def signed(x, w):
    return (x << U(64 - 8 * w)).view(I) >> I(64 - 8 * w)

def run_length(r):
    return 2 ** r if r else 2 ** 32

def unzigzag(x):
    return (x >> U(1)) ^ -(x & U(1))

def integrate(x, s, order, r):
    """Undoes a difference: in every run of every lane a running sum for each order."""
    if s >= len(x):
        return x
    rows = -(-len(x) // s)
    run = min(run_length(r), rows)
    grid = np.zeros(-(-rows // run) * run * s, U)
    grid[:len(x)] = x
    grid = grid.reshape(-1, run, s)
    for _ in range(order):
        grid = grid.cumsum(axis=1, dtype=U)
    return grid.reshape(-1)[:len(x)]

def unscale(x, w, s, kind, side):
    pairs, selectors, bitmap, hole_words = side
    n, table = len(x), np.frombuffer(pairs, '<f8').reshape(-1, 2)
    if len(table):
        which, at = np.zeros(n, int), 0
        for l in range(min(s, n) if len(table) > 1 else 0):
            count = len(range(l, n, s))
            groups = np.frombuffer(selectors, np.uint8, -(-count // 1024), at)
            which[l::s], at = np.repeat(groups, 1024)[:count], at + len(groups)
        with np.errstate(all='ignore'):
            t = signed(x, w).astype('f8') * table[which, 0] / table[which, 1]
            if kind == 0:
                x = cut(np.rint(t).astype(I).view(U), w)
            else:
                x = t.view(U) if w == 8 else t.astype('f4').view('u4').astype(U)
    if bitmap:
        holes = np.unpackbits(np.frombuffer(bitmap, np.uint8), bitorder='little')[:n].astype(bool)
        x[holes] = words_of(hole_words, w)
    return x

def unlanes(x, w, s, r, lanes):
    done = {}
    def lane(l):
        if l in done:
            return done[l]
        (order, flags, source), v = struct.unpack_from('<BBH', lanes, 4 * l), x[l::s].copy()
        other, lag = np.zeros(len(v), U), flags >> 1 & 1
        if source != 0xFFFF:
            found = lane(source)[:max(len(v) - lag, 0)]
            other[lag:lag + len(found)] = found
        if flags & 1:
            v = unzigzag(v)
        if flags & 4:  # the source was subtracted after the differences
            v = integrate(v + other, 1, order, r)
        else:
            v = integrate(v, 1, order, r) + other
        done[l] = cut(v, w)
        return done[l]
    restored = np.empty_like(x)
    for l in range(min(s, len(x))):
        restored[l::s] = lane(l)
    return restored

def unpredict(x, w, s, is_signed, side):
    x = x.copy()
    lanes = [x[l::s] for l in range(min(s, len(x)))]
    blocks = [lane[i:i + 4096] for lane in lanes for i in range(0, len(lane), 4096)]
    shape = np.frombuffer(side, np.uint8, 2 * len(blocks)).reshape(-1, 2).astype(I)
    coefficients, at = np.zeros((len(blocks), 32), I), 2 * len(blocks)
    v = np.zeros((len(blocks), 32 + 4096), I)  # behind 32 zeros; all blocks at once, word by word
    for b, block in enumerate(blocks):
        p = shape[b, 0]
        coefficients[b, :p], at = np.frombuffer(side, '<i2', p, at), at + 2 * p
        v[b, 32:32 + len(block)] = block.view(I)
    for i in range(max(map(len, blocks))):
        guess = (coefficients * v[:, i:i + 32][:, ::-1]).sum(axis=1) >> shape[:, 1]
        guess = np.where(i < shape[:, 0], v[:, i + 31], guess)
        word = cut((v[:, i + 32] + guess).view(U), w)
        v[:, i + 32] = signed(word, w) if is_signed else word.view(I)
    for b, block in enumerate(blocks):
        block[:] = cut(v[b, 32:32 + len(block)].view(U), w)
    return x

def untoken(n, s, k, m, r, side):
    token = np.frombuffer(side[0], np.uint8).astype(I) - 2 ** k
    raw_bits = np.where(token < 0, 0, k + (token >> m) - m)
    lanes = [len(range(l, n, s)) for l in range(min(s, n))]
    runs = np.array([min(run_length(r), c - i) for c in lanes for i in range(0, c, run_length(r))])
    before = np.cumsum(raw_bits) - raw_bits
    first = before[np.cumsum(runs) - runs]  # of every run
    ends = np.cumsum(-(-np.diff(first, append=raw_bits.sum()) // 8))
    place = before + np.repeat(8 * (len(side[1]) - ends) - first, runs)
    bits = np.unpackbits(np.frombuffer(side[1], np.uint8)[::-1])  # back to front, the top bit first
    value = np.where(token < 0, token + 2 ** k, 2 ** m + (token & 2 ** m - 1)).astype(U)
    for j in range(raw_bits.max()):
        more = raw_bits > j
        value[more] = value[more] << U(1) | bits[place[more] + j]
    x, at = np.empty(n, U), 0
    for l, count in enumerate(lanes):
        x[l::s], at = value[at:at + count], at + count
    return x

def unpack(n, s, side):
    """Words of packed: 16 of every group, then in every block of 16 rows one row after another."""
    widths, codes, _, data = (np.frombuffer(part, np.uint8) for part in side)
    groups = n // (16 * s) * s + min(n % (16 * s), s)
    width = widths[np.stack([codes & 15, codes >> 4], axis=1).reshape(-1)[:groups]].astype(I)
    begin, x = 2 * (np.cumsum(width) - width), np.zeros((-(-groups // s) * s, 16), U)
    for b in set(width.tolist()) - {0}:
        where = np.flatnonzero(width == b)
        octets = data[begin[where][:, None] + np.arange(2 * b)]
        bits = np.unpackbits(octets, axis=1, bitorder='little').reshape(-1, 16, b)
        for j in range(b):
            x[where] |= bits[:, :, j].astype(U) << U(j)
    return x.reshape(-1, s, 16).transpose(0, 2, 1).reshape(-1)[:n]

def ungrid(x, w, s, is_signed, line, height, mask, side):
    x, lines = x.copy(), len(x) // (s * line)
    if lines == 0:
        return x
    high, bits = min(height or lines, lines), [b for b in range(24) if mask >> b & 1]
    coefficients = np.frombuffer(side[1], '<i2').reshape(-1, len(bits)).astype(I)
    choices = np.frombuffer(side[0], np.uint8).reshape(-1, s, -(-line // 16))
    words = x[:lines * s * line].reshape(lines, line, s)
    v = np.zeros((lines + 1, s + 1, line + 4), I)  # two more points at each end; the last line and lane are 0
    def up(y):
        return y - 1 if y % high else y - high if y >= high else y
    for y in range(lines):
        z, row = y // high, y % high
        back = [y - high, y - high - (row > 0), y - high + (row < high - 1), y - high * min(z, 2)]
        for l in range(s):
            seen = [v[y, l], v[up(y), l], v[up(up(y)), l], v[y, l - 1], v[up(y), l - 1]]
            seen += [v[b if z else lines, l] for b in back]
            now, c = seen[0], np.zeros((line, 26), I)
            c[:, bits] = coefficients[choices[z * -(-high // 8) + row // 8, l]].repeat(16, axis=0)[:line]
            if y > 0:
                now[:2] = seen[1][2]
            guess = np.full(line, 2048, I)
            for b, (other, right) in enumerate(NEIGHBOURS, 2):
                guess += c[:, b] * seen[other][2 + right:2 + right + line]
            for p in range(line):
                total = guess[p:p + 1] + c[p, :1] * now[p + 1:p + 2] + c[p, 1:2] * now[p:p + 1]
                told = total >> I(12) if y > 0 else now[p + 1:p + 2]
                word = cut(words[y, p:p + 1, l] + told.view(U), w)
                words[y, p, l] = word[0]
                now[p + 2:p + 3] = signed(word, w) if is_signed else word.view(I)
            now[:2], now[-2:] = now[2], now[-3]
    return x

def undo(step, p, w, n, x, side):
    """Undoes one step with parameters p; a layout makes words of its substreams."""
    if step == 1:  # byteswap
        return words_of(octets_of(x, w)[:, ::-1].tobytes(), w)
    if step == 2:  # difference
        return cut(integrate(x, *struct.unpack_from('<IBB', p)), w)
    if step == 3:  # zigzag
        return cut(unzigzag(x), w)
    if step == 4:  # planes
        return words_of(np.frombuffer(side[0], np.uint8).reshape(w, n).T.tobytes(), w)
    if step == 5:  # tuple-planes
        (s,), out, at = struct.unpack('<I', p), np.empty((n, w), np.uint8), 0
        for l in range(min(s, n)):
            count = len(range(l, n, s))
            out[l::s] = np.frombuffer(side[0], np.uint8, count * w, at).reshape(w, count).T
            at += count * w
        return words_of(out.tobytes(), w)
    if step == 6:  # bit-planes
        m = n - n % 8
        bits = np.unpackbits(np.frombuffer(side[0], np.uint8, m * w), bitorder='little').reshape(8 * w, m)
        return words_of(np.packbits(bits.T, bitorder='little').tobytes() + side[0][m * w:], w)
    if step == 7:
        return unscale(x, w, *struct.unpack_from('<HB', p), side)
    if step == 8:
        return unlanes(x, w, *struct.unpack_from('<HB', p), p[4:])
    if step == 9:
        return unpredict(x, w, *struct.unpack_from('<HB', p), side[0])
    if step == 10:
        return untoken(n, *struct.unpack_from('<HBBB', p), side)
    if step == 11:
        return unpack(n, *struct.unpack_from('<H', p), side)
    if step == 13:
        s, is_signed, line, height, mask = struct.unpack('<HBxIII', p)
        return ungrid(x, w, s, is_signed, line, height, mask, side)
    sys.exit(f'unsupported: step {step}')

def columns(plan, length, substreams):
    """Restores `length` bytes: every column of all rows, then the rest shorter than a row."""
    if plan[1] > 1:
        sys.exit(f'unsupported: coding {plan[1]}')
    heads = [struct.unpack_from('<BBH', plan, 4 + 4 * c) for c in range(plan[0])]
    row, at, fields = sum(w * count for w, _, count in heads), 4 + 4 * plan[0], []
    for w, steps, count in heads:
        n, todo, x = length // row * count, [], None
        for _ in range(steps):
            step, size = struct.unpack_from('<HH', plan, at)
            p, at = plan[at + 4:at + 4 + size], at + 4 + size
            todo.append((step, p, [next(substreams) for _ in range(SUBSTREAMS.get(step, 0))]))
        if not todo or todo[-1][0] not in (4, 5, 6, 10, 11):  # interleaved
            x = words_of(next(substreams), w)
        for step, p, side in reversed(todo if n else []):
            x = undo(step, p, w, n, x, side)
        fields.append(octets_of(x, w).reshape(-1, w * count) if n else b'')
    whole = np.concatenate(fields, axis=1).tobytes() if length >= row else b''
    return whole + next(substreams, b'')

def read(source, length):
    data = source.read(length)
    return data if len(data) == length else sys.exit('truncated: the file ends too early')

def chunk(source, record):
    """Reads the frames behind a CHK; returns chunk number, original offset, original bytes."""
    number, offset, _, length, plan_bytes, substreams, frames = struct.unpack_from('<QQQIIII', record, 40)
    if record[84] != 1 or record[85]:
        sys.exit(f'unsupported: chunk {number}')
    at = 96 + -(-plan_bytes // 8) * 8
    cuts = np.cumsum((0,) + struct.unpack_from(f'<{substreams}I', record, at), dtype=I)
    sizes = struct.unpack_from(f'<{2 * frames}I', record, at + -(-substreams // 2) * 8)
    pieces = []
    for packed, unpacked in zip(sizes[0::2], sizes[1::2]):
        frame = read(source, packed)
        pieces.append(subprocess.run(['zstd', '-dc'], input=frame, stdout=subprocess.PIPE, check=True).stdout)
        if len(pieces[-1]) != unpacked:
            sys.exit(f'corrupt: a frame of chunk {number} holds {len(pieces[-1])} bytes')
    data = b''.join(pieces)
    if len(data) != cuts[-1]:
        sys.exit(f'corrupt: the frames of chunk {number} hold {len(data)} bytes')
    parts = (data[a:b] for a, b in zip(cuts, cuts[1:]))
    data = columns(record[96:96 + plan_bytes], length, parts)
    return (number, offset, data) if len(data) == length else sys.exit(f'corrupt: chunk {number}')

def restore(source, target):
    chunks = total = streams = 0
    inside = False
    while first := source.read(1):
        if first == b'\0' and streams and not inside:
            continue  # padding between and behind streams
        prefix = first + read(source, 31)
        magic, size, cookie, kind, major, _, features = struct.unpack_from('<II4s4sBBH', prefix)
        if magic != 0x184D2A5A or cookie != b'tdz\x1a' or inside == (kind == b'HDR ') or not 40 <= size <= 8667360:
            sys.exit('corrupt: another record was expected')
        record = prefix + read(source, size - 24)
        if kind == b'HDR ':
            if major != 1 or features != 1:
                sys.exit('unsupported: a later version, or a draft from before 0.1.0')
            chunks, total, inside = 0, 0, True
        elif kind == b'CHK ':
            number, offset, data = chunk(source, record)
            if (number, offset) != (chunks, total):
                sys.exit(f'corrupt: chunk {number} stands where {chunks} belongs')
            target.write(data)
            chunks, total = chunks + 1, total + len(data)
        elif kind == b'END ':
            if struct.unpack_from('<QQ', record, 40) != (chunks, total):
                sys.exit('corrupt: END counts other chunks')
            inside, streams = False, streams + 1
        elif kind != b'INDX' and not b'a' <= kind[:1] <= b'z':  # a small letter: a note
            sys.exit(f'unsupported: a record of kind {kind}')
    if inside or not streams:
        sys.exit('truncated: the file ends before END')

if __name__ == '__main__':
    with open(sys.argv[1], 'rb') as source, open(sys.argv[2], 'wb') as target:
        restore(source, target)
