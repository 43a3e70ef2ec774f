# SPDX-License-Identifier: Apache-2.0
"""A model of what a device does with coding 1: it begins everywhere at once, from CHK's list alone."""
import struct

import strict


class NoOpinion(Exception):
    pass


def need(condition, what):
    if not condition:
        raise NoOpinion(what)


def fse_shares(value):
    """RFC 8878, 4.1.1: the share of each symbol in parts of 2^log, log, and the bits that say so."""
    log, at = 5 + (value & 15), 4
    need(log <= 6, 'a table for weights has at most 64 states')
    shares, left = [], 1 << log
    while left > 0:
        bits = (left + 1).bit_length()
        short = (1 << bits) - 2 - left  # so many values take one bit less
        v = value >> at & (1 << bits - 1) - 1
        if v >= short:
            v = value >> at & (1 << bits) - 1
            v -= short if v >> bits - 1 else 0
            at += 1
        at += bits - 1
        shares.append(v - 1)
        left -= abs(v - 1)
        more = 3 if v == 1 else 0
        while more == 3:
            more = value >> at & 3
            shares += [0] * more
            at += 2
    need(left == 0 and len(shares) <= 12, 'shares')
    return shares, log, at


def fse_states(shares, log):
    """(symbol, bits, base) of every state."""
    size = 1 << log
    rare = [s for s, share in enumerate(shares) if share == -1]
    cells, at = [None] * (size - len(rare)) + rare[::-1], 0
    for s, share in enumerate(shares):
        for _ in range(max(share, 0)):
            cells[at] = s
            at = (at + (size >> 1) + (size >> 3) + 3) % size
            while at >= size - len(rare) > 0:
                at = (at + (size >> 1) + (size >> 3) + 3) % size
    number, states = [abs(share) for share in shares], []
    for s in cells:
        bits = log + 1 - number[s].bit_length()
        states.append((s, bits, (number[s] << bits) - size))
        number[s] += 1
    return states


def fse_weights(data):
    shares, log, at = fse_shares(int.from_bytes(data, 'little'))
    states, stream = fse_states(shares, log), data[-(-at // 8):]
    need(stream and stream[-1], 'no end mark')
    value = int.from_bytes(stream, 'little')
    left = value.bit_length() - 1

    def take(bits):
        nonlocal left
        need(bits <= left, 'a stream of weights is too short')
        left -= bits
        return value >> left & (1 << bits) - 1
    state, other = states[take(log)], states[take(log)]
    weights = []
    while left >= state[1]:
        weights.append(state[0])
        need(len(weights) <= 253, 'too many weights')
        state, other = other, states[state[2] + take(state[1])]
    need(left == 0, 'weights do not end exactly')
    return weights + [state[0], other[0]]


def read_tree(body):
    """(symbol by code of `top` bits, bits by the same), top, bytes of the description."""
    if body[0] < 128:
        weights, used = fse_weights(body[1:1 + body[0]]), 1 + body[0]
    else:
        count = body[0] - 127
        weights = [body[1 + i // 2] >> (0 if i % 2 else 4) & 15 for i in range(count)]
        used = 1 + (count + 1) // 2
    total = sum(1 << w - 1 for w in weights if w)
    need(total > 0, 'no symbols')
    top = total.bit_length()
    left = (1 << top) - total
    need(left & (left - 1) == 0 and top <= 11, 'weights do not make a tree')
    weights.append(left.bit_length())
    need(weights.count(1) >= 2 and weights.count(1) % 2 == 0, 'codes of the longest length')
    table = []
    for w in range(1, top + 1):
        for s, v in enumerate(weights):
            if v == w:
                table += [(s, top + 1 - w)] * (1 << w - 1)
    need(len(table) == 1 << top, 'not a full tree')
    return (table, top), used


def read_stream(data, tree, count):
    table, top = tree
    value = int.from_bytes(data, 'little')
    need(data and data[-1], 'no end mark')
    left = value.bit_length() - 1
    value -= 1 << left
    out = bytearray()
    for _ in range(count):
        look = value >> left - top if left >= top else value << top - left
        symbol, bits = table[look & (1 << top) - 1]
        need(bits <= left, 'a stream is too short')
        left -= bits
        value &= (1 << left) - 1
        out.append(symbol)
    need(left == 0, 'a stream is too long')
    return bytes(out)


def read_block(data, kind, L, tree):
    if kind == 0:
        return data, tree
    if kind == 1:
        return data * L, tree
    size = 4 if L < 16384 else 5
    head = int.from_bytes(data[:size], 'little')
    bits = 14 if size == 4 else 18
    need(head & 3 == kind and head >> 2 & 3 == size - 2, 'literals of another kind')
    need(head >> 4 & (1 << bits) - 1 == L and (head >> 4 + bits) + size + 1 == len(data), 'literals of another length')
    need(data[-1] == 0, 'sequences')
    body = data[size:-1]
    if kind == 2:
        tree, used = read_tree(body)
        body = body[used:]
    need(tree, 'treeless without a tree')
    a, b, c = struct.unpack_from('<3H', body)
    need(6 + a + b + c < len(body), 'sizes of streams')
    cuts = [6, 6 + a, 6 + a + b, 6 + a + b + c, len(body)]
    return b''.join(read_stream(body[i:j], tree, L // 4) for i, j in zip(cuts, cuts[1:])), tree


def uniform_frame(packed, unpacked, entries, L):
    magic, descriptor = struct.unpack_from('<IB', packed)
    need(magic == 0xFD2FB528 and descriptor & ~4 in (0x20 | 1 << 6, 0x20 | 2 << 6), 'magic or descriptor')
    content, at = ((struct.unpack_from('<H', packed, 5)[0] + 256, 7) if descriptor >> 6 == 1 else
                   (struct.unpack_from('<I', packed, 5)[0], 9))
    need(content == unpacked == L * len(entries), 'content size')
    tree, out, told = None, [], False
    for b, (size, kind, longest, *_) in enumerate(entries):
        told = told and b % 8 > 0
        header = int.from_bytes(packed[at:at + 3], 'little')
        last = b == len(entries) - 1
        need(header == (last | min(kind, 2) << 1 | (L if kind == 1 else size) << 3), 'block header')
        need(kind <= 3 and (kind > 1 or longest == 0) and (kind != 0 or size == L) and (kind != 1 or size == 1),
             'entry')
        need(kind != 2 or not told, 'a tree where none may be')
        need(kind < 2 or size < L, 'a block as long as its content')
        told = told or kind > 1
        block, tree = read_block(packed[at + 3:at + 3 + size], kind, L, tree)
        need(kind < 2 or longest == tree[1], 'longest code')
        out.append(block)
        at += 3 + size
    need(at + (descriptor & 4) == len(packed), 'packed length')
    return b''.join(out)


def raw_run(tokens, raw, k, m, W):
    """The words of one run from its own bytes of raw bits."""
    value, left, words = int.from_bytes(raw, 'little'), 8 * len(raw), []
    for t in tokens:
        if t < 1 << k:
            words.append(t)
            continue
        t -= 1 << k
        f = k + (t >> m)
        need(f < W, 'f >= W')
        left -= f - m
        need(left >= 0, 'raw bits too short')
        words.append(((1 << m) | (t & (1 << m) - 1)) << (f - m) | value >> left & (1 << f - m) - 1)
    need(left < 8 and value & (1 << left) - 1 == 0, 'raw bits too long')
    return words


def uniform_words(block):
    """All words in uniform blocks of a lone block: {(column, lane): words}."""
    size = struct.unpack_from('<I', block, 4)[0] + 8
    length, plan_bytes, N, F, G = struct.unpack_from('<5I', block, 64)
    plan, at = block[96:96 + plan_bytes], 96 + -(-plan_bytes // 8) * 8
    lengths = struct.unpack_from(f'<{N}I', block, at)
    at += -(-N // 2) * 8
    table = [struct.unpack_from('<II', block, at + 8 * i) for i in range(F)]
    at += 8 * F
    entries = [struct.unpack_from('<HBB4H', block, at + 12 * i) for i in range(G)]
    need(at + 12 * G <= size - 8, 'the list')
    frames, begins, p, u = {}, [], size, 0
    for packed, unpacked in table:
        frames[u] = (block[p:p + packed], unpacked)
        begins.append(u)
        p, u = p + packed, u + unpacked
    joined = b''.join(strict.unframe(*frame) for frame in frames.values())  # CPU's part, see below
    need(plan[1] == 1, 'coding')
    heads = [struct.unpack_from('<BBH', plan, 4 + 4 * c) for c in range(plan[0])]
    row, q, number, begin, out = sum(w * c for w, _, c in heads), 4 + 4 * plan[0], 0, 0, {}
    entries = iter(entries)
    for column, (w, steps, count) in enumerate(heads):
        n, last, has_grid = length // row * count, 0, False
        for _ in range(steps):
            step, bytes_ = struct.unpack_from('<HH', plan, q)
            p, q, last = plan[q + 4:q + 4 + bytes_], q + 4 + bytes_, step
            has_grid |= step == 13
            if step == 10:
                break
            more = {4: 1, 5: 1, 6: 1, 7: 4, 9: 1, 11: 4, 13: 2}.get(step, 0)
            begin, number = begin + sum(lengths[number:number + more]), number + more
        if last not in (4, 5, 6, 10, 11):
            begin, number = begin + lengths[number], number + 1
        if last != 10:
            continue
        s, k, m, r = struct.unpack_from('<HBBB', p)
        sizes = lengths[number:number + 2]
        number += len(sizes)
        if r in (10, 11, 12) and not has_grid:
            L, lane_begin = 4 << r, begin
            raw_at = begin + sizes[0]
            for l in range(min(s, n)):
                n_l, words, at_token = len(range(l, n, s)), [], lane_begin
                whole = n_l // L
                while whole:
                    need(at_token in frames, 'no frame begins here')
                    packed, unpacked = frames[at_token]
                    some = unpacked // L
                    need(1 <= some <= whole and (some == whole or some % 8 == 0), 'blocks of a frame')
                    mine = [next(entries) for _ in range(some)]
                    tokens = uniform_frame(packed, unpacked, mine, L)
                    need(tokens == joined[at_token:at_token + unpacked], 'TEST: libzstd differs')
                    for i, e in enumerate(mine):
                        for j in range(4):
                            run = tokens[(4 * i + j) * (L // 4):(4 * i + j + 1) * (L // 4)]
                            words += raw_run(run, joined[raw_at:raw_at + e[3 + j]], k, m, 8 * w)
                            raw_at += e[3 + j]
                    at_token += unpacked
                    whole -= some
                left = n_l % L
                if left:
                    size, kind, zero, *remainder = next(entries)
                    need(size == zero == 0 and kind == 4, 'entry of a remainder')
                    for i, bytes_ in enumerate(remainder):
                        run = joined[at_token + i * (L // 4):at_token + min((i + 1) * (L // 4), left)]
                        words += raw_run(run, joined[raw_at:raw_at + bytes_], k, m, 8 * w)
                        raw_at += bytes_
                out[column, l] = words
                lane_begin += n_l
            need(raw_at == begin + sizes[0] + sizes[1], 'raw bits do not sum up')
        begin += sum(sizes)
    need(next(entries, None) is None, 'entries too many')
    return out
