# SPDX-License-Identifier: Apache-2.0
"""Undoes the steps of a column, from the text alone; every breach of section 3 is corrupt.

It shares no line with the page or the writer, so that it can judge both.
"""
import struct
import numpy as np
from strict_errors import corr

LAYOUT = (4, 5, 6, 10, 11)
SUBSTREAMS = {4: 1, 5: 1, 6: 1, 7: 4, 9: 1, 10: 2, 11: 4, 13: 2}
NO_SOURCE = 0xFFFF
U = np.uint64


def substreams_of(step):
    return SUBSTREAMS.get(step, 0)


# Words and lanes

def words(data, w):
    octets = np.zeros((len(data) // w, 8), np.uint8)
    octets[:, :w] = np.frombuffer(data, np.uint8).reshape(-1, w)
    return octets.view('<u8').reshape(-1).astype(U)


def unwords(x, w):
    return np.ascontiguousarray(x.astype('<u8').reshape(-1, 1).view(np.uint8).reshape(-1, 8)[:, :w]).tobytes()


def mask(w):
    return U((1 << 8 * w) - 1)


def signed(x, w):
    s = U(64 - 8 * w)
    return (x << s).view(np.int64) >> np.int64(64 - 8 * w)


def lanes_of(n, s):
    return range(min(s, n))


def lane_n(n, s, l):
    return 0 if l >= n else (n - l + s - 1) // s


# Steps

def undo_byteswap(x, w):
    return words(np.frombuffer(unwords(x, w), np.uint8).reshape(-1, w)[:, ::-1].tobytes(), w)


def sum_runs(v, order, r, w):
    step = 1 << r if r else max(len(v), 1)
    for b in range(0, len(v), step):
        run = v[b:b + step]
        for _ in range(order):
            run = np.cumsum(run, dtype=U)
        v[b:b + step] = run & mask(w)


def undo_difference(x, w, s, order, r):
    for l in lanes_of(len(x), s):
        v = x[l::s].copy()
        sum_runs(v, order, r, w)
        x[l::s] = v
    return x


def undo_zigzag(x, w):
    return ((x >> U(1)) ^ (U(0) - (x & U(1)))) & mask(w)


def undo_planes(data, n, w):
    return words(np.frombuffer(data, np.uint8).reshape(w, n).T.tobytes(), w)


def undo_tuple_planes(data, n, w, s):
    x, p = np.zeros(n, U), 0
    for l in lanes_of(n, s):
        size = lane_n(n, s, l) * w
        x[l::s] = undo_planes(data[p:p + size], size // w, w)
        p += size
    return x


def undo_bit_planes(data, n, w):
    m, x = n - n % 8, np.zeros(n, U)
    planes = np.frombuffer(data[:m * w], np.uint8)
    for b in range(8 * w if m else 0):
        plane = planes[b * m // 8:(b + 1) * m // 8]
        x[:m] |= np.unpackbits(plane, bitorder='little').astype(U) << U(b)
    x[m:] = words(data[m * w:], w)
    return x


# Scale

def holes_of(bitmap, hole_words, n, w):
    if not bitmap:
        return np.zeros(n, bool)
    bits = np.unpackbits(np.frombuffer(bitmap, np.uint8), bitorder='little')
    corr(not bits[n:].any(), 'bitmap pad')
    corr(len(hole_words) in (w, int(bits.sum()) * w), 'hole words')
    return bits[:n].astype(bool)


def selected(selectors, n, s, T):
    which, p = np.zeros(n, np.int64), 0
    for l in lanes_of(n, s) if T > 1 else ():
        count = lane_n(n, s, l)
        groups = -(-count // 1024)
        which[l::s] = np.repeat(np.frombuffer(selectors[p:p + groups], np.uint8).astype(np.int64), 1024)[:count]
        p += groups
    return which


def scaled(t, w, kind):
    if kind == 0:
        corr(not np.any(np.abs(t) >= 2.0 ** 63), 't')
        return np.rint(t).astype(np.int64).view(U) & mask(w)
    if w == 8:
        return t.view(U).copy()
    corr(not np.any((np.abs(t) > 0) & (np.abs(t) < 2.0 ** -126)), 't small')
    with np.errstate(over='ignore'):
        f = t.astype(np.float32)
    corr(not np.isinf(f).any(), 'inf')
    return f.view(np.uint32).astype(U)


def undo_scale(x, w, s, kind, side):
    pairs, selectors, bitmap, hole_words = side
    n, T = len(x), len(pairs) // 16
    pair = np.frombuffer(pairs, '<f8').reshape(T, 2)
    corr(bool(np.all((pair >= 2.0 ** -300) & (pair <= 2.0 ** 300))), 'pairs value')
    corr(T <= 1 or max(selectors) < T, 'selector')
    hole, y = holes_of(bitmap, hole_words, n, w), x.copy()
    if T:
        which, q = selected(selectors, n, s, T), np.where(hole, 0, signed(x, w))
        corr(not np.any((q > 2 ** 53) | (q < -2 ** 53)), 'q')
        t = q.astype(np.float64) * pair[which, 0]
        y = scaled(t / pair[which, 1], w, kind)
    if hole.any():
        y[hole] = words(hole_words, w)[0] if len(hole_words) == w else words(hole_words, w)
    return y


# Lanes

def undo_lanes(x, w, s, r, table):
    n, done = len(x), {}

    def plus_source(v, source, lag):
        other = restored(source)
        end = min(len(v), len(other) + lag)
        if end > lag:
            v[lag:end] += other[:end - lag]
        np.bitwise_and(v, mask(w), out=v)

    def restored(l):
        if l in done:
            return done[l]
        if l >= n:
            return np.zeros(0, U)
        v, (order, flags, source) = x[l::s].copy(), table[l]
        zigzag, lag, after = flags & 1, flags >> 1 & 1, flags >> 2 & 1
        if zigzag:
            v = undo_zigzag(v, w)
        if source != NO_SOURCE and after:
            plus_source(v, source, lag)
        if order:
            sum_runs(v, order, r, w)
        if source != NO_SOURCE and not after:
            plus_source(v, source, lag)
        done[l] = v
        return v
    y = np.zeros(n, U)
    for l in lanes_of(n, s):
        y[l::s] = restored(l)
    return y


# Predict

def predicted(out, c, shift, w, is_signed):
    """What the words before, the nearest last, say about the next one."""
    total = 0
    for j, factor in enumerate(c):
        q = out[-1 - j]
        if is_signed and q >> (8 * w - 1):
            q -= 1 << 8 * w
        total += factor * q
    total &= 2 ** 64 - 1
    return (total - (2 ** 64 if total >> 63 else 0)) >> shift


def undo_block(v, w, is_signed, shift, c):
    out = []
    for i, word in enumerate(v):
        if c and i >= len(c):
            word += predicted(out, c, shift, w, is_signed)
        elif c and i:
            word += out[-1]
        out.append(word & ((1 << 8 * w) - 1))
    return out


def undo_predict(x, w, s, is_signed, side):
    n = len(x)
    blocks = [-(-lane_n(n, s, l) // 4096) for l in lanes_of(n, s)]
    heads = [(side[2 * b], side[2 * b + 1]) for b in range(sum(blocks))]
    corr(all(P <= 32 and shift <= 15 for P, shift in heads), 'predict P')
    corr(len(side) == 2 * len(heads) + 2 * sum(P for P, _ in heads), 'predict length')
    at, head = 2 * len(heads), iter(heads)
    for l in lanes_of(n, s):
        v = [int(q) for q in x[l::s]]
        for b in range(0, len(v), 4096):
            P, shift = next(head)
            c = struct.unpack_from('<%dh' % P, side, at)
            at += 2 * P
            v[b:b + 4096] = undo_block(v[b:b + 4096], w, is_signed, shift, c)
        x[l::s] = np.array(v, dtype=U)
    return x


# Grid

def lines_seen(y, high):
    """The lines of neighbours 2 to 23 of a word of line y, which lane they are of, and points to the right."""
    def up(q):
        return q if q < high and q % high == 0 else q - (high if q % high == 0 else 1)
    around, z, v = (0, -1, 1), y // high, y % high
    for right in (0, -1, 1, -2, 2):
        yield up(y), 0, right
    yield up(up(y)), 0, 0
    for q in (y, up(y)):
        for right in around:
            yield q, 1, right
    before = y - high
    for q in (before, before - 1 if v else before, before if v == high - 1 else before + 1):
        for right in around:
            yield (q if z else None), 0, right
    yield (None if z == 0 else before if z == 1 else before - high), 0, 0


def undo_grid(x, w, s, is_signed, line, height, neighbours, side):
    choices, n = side[0], len(x) // (s * line)
    bits = [b for b in range(24) if neighbours >> b & 1]
    factors = [struct.unpack_from('<%dh' % len(bits), side[1], at) for at in range(0, len(side[1]), 2 * len(bits))]
    corr(all(c < len(factors) for c in choices), 'a choice')
    if n == 0:
        return x
    high = n if height == 0 or height > n else height
    done, rows = {}, [(z, v) for z in range(0, n, high) for v in range(0, min(high, n - z), 8)]
    row_of = {y: r for r, (z, v) in enumerate(rows) for y in range(z + v, min(z + v + 8, z + high, n))}
    across, top = (line + 15) // 16, 1 << 8 * w - 1
    for y in range(n):
        for l in range(s):
            out, at = [], slice(y * line * s + l, (y + 1) * line * s, s)
            for p, word in enumerate(x[at].tolist()):
                if y == 0:
                    out.append((word + (out[-1] if p else 0)) % (2 * top))
                    continue
                first = done[[q for q, _, _ in lines_seen(y, high)][0], l][0]
                seen = [out[p - 1] if p > 0 else first, out[p - 2] if p > 1 else first]
                for q, lanes, right in lines_seen(y, high):
                    there = q is not None and l >= lanes
                    seen.append(done[q, l - lanes][min(max(p + right, 0), line - 1)] if there else 0)
                c = factors[choices[(row_of[y] * s + l) * across + p // 16]]
                total = 2048
                for a, b in zip(c, bits):
                    total += a * (seen[b] - 2 * top if is_signed and seen[b] >= top else seen[b])
                total %= 2 ** 64
                out.append((word + ((total - (total >> 63 << 64)) >> 12)) % (2 * top))
            done[y, l] = out
            x[at] = np.array(out, dtype=U)
    return x


# Tokens

def undo_run(tokens, raw, k, m, W):
    """The words of a run, and the bytes of raw bits that it takes."""
    found, total = [], 0
    for token in tokens:
        if token < 1 << k:
            found.append((token, 0))
            continue
        token -= 1 << k
        f = k + (token >> m)
        corr(f < W, 'token f')
        found.append((1 << m | (token & ((1 << m) - 1)), f - m))
        total += f - m
    size = (total + 7) // 8
    corr(size <= len(raw), 'raw bits short')
    value, left, out = int.from_bytes(raw[:size], 'little'), 8 * size, []
    for top, bits in found:
        left -= bits
        out.append(top << bits | (value >> left) & ((1 << bits) - 1))
    corr(value & ((1 << left) - 1) == 0, 'unused bits')
    return out, size


def undo_tokens(n, w, s, k, m, r, tokens, raw):
    x, begin, at = np.zeros(n, U), 0, 0
    for l in lanes_of(n, s):
        count, lane = lane_n(n, s, l), []
        step = 1 << r if r else count
        for b in range(0, count, step):
            run, size = undo_run(tokens[begin + b:begin + min(b + step, count)], raw[at:], k, m, 8 * w)
            lane += run
            at += size
        begin += count
        x[l::s] = np.array(lane, dtype=U)
    corr(at == len(raw), 'raw bits long')
    return x


# Packed

def groups_of(n, s):
    """The places of the words of each group."""
    for begin in range(0, n, 16 * s):
        end = min(begin + 16 * s, n)
        for first in range(begin, min(begin + s, end)):
            yield range(first, end, s)


def undo_packed(n, s, widths, codes, places, bits, W):
    corr(widths[-1] <= W and all(a < b for a, b in zip(widths, widths[1:])), 'widths')
    groups = list(groups_of(n, s))
    halves = [half for byte in codes for half in (byte & 15, byte >> 4)]
    corr(all(half < len(widths) for half in halves[:len(groups)]), 'a code')
    corr(not any(halves[len(groups):]), 'the unused half')
    used = [2 * widths[half] for half in halves[:len(groups)]]
    begins = np.cumsum([0] + used).tolist()
    corr(places == struct.pack('<%dI' % -(-len(groups) // 256), *begins[:-1:256]), 'places')
    corr(len(bits) == begins[-1], 'length of bits')
    x = np.zeros(n, U)
    for group, begin, size in zip(groups, begins, used):
        value, b = int.from_bytes(bits[begin:begin + size], 'little'), size // 2
        for i in group:
            x[i] = value % (1 << b)
            value >>= b
        corr(value == 0, 'fill words')
    return x


# A column

def undo_step(step, values, side, x, n, w):
    if step == 1:
        return undo_byteswap(x, w)
    if step == 2:
        return undo_difference(x, w, *values)
    if step == 3:
        return undo_zigzag(x, w)
    if step == 4:
        return undo_planes(side[0], n, w)
    if step == 5:
        return undo_tuple_planes(side[0], n, w, *values)
    if step == 6:
        return undo_bit_planes(side[0], n, w)
    if step == 7:
        return undo_scale(x, w, *values, side)
    if step == 8:
        return undo_lanes(x, w, *values)
    if step == 9:
        return undo_predict(x, w, *values, side[0])
    if step == 10:
        return undo_tokens(n, w, *values, *side)
    if step == 13:
        return undo_grid(x, w, *values, side)
    return undo_packed(n, *values, *side, 8 * w)


def decode_column(w, steps, n, substreams):
    """The bytes of n words, from the substreams of this column."""
    if n == 0:
        return b''
    given, todo = iter(substreams), []
    for step, values in steps:
        todo.append((step, values, [next(given) for _ in range(substreams_of(step))]))
    x = None if steps and steps[-1][0] in LAYOUT else words(next(given), w)
    for step, values, side in reversed(todo):
        x = undo_step(step, values, side, x, n, w)
    return unwords(x, w)
