# SPDX-License-Identifier: Apache-2.0
"""A reference writer of format 1.1: plain Python integers, slow, without a line of the page that restores.

A column is {'width': 1..8, 'count': words a row, 'steps': [step, ..]}. A step is a tuple:
    ('byteswap',) ('zigzag',) ('planes',) ('bit-planes',) ('tuple-planes', s) ('difference', s, order, r)
    ('scale', s, kind, pairs, mode)       kind 0 integer, 1 float; mode: holes 'raw' or 'constant' if there are any
    ('lanes', s, r, [(order, zigzag, source or None, lag, after), ..])
    ('predict', s, signed, choose)        choose(block number) -> (shift, coefficients)
    ('grid', s, signed, line, height, neighbours, predictors, choose)
                                          lists of coefficients; choose(block number) -> one of them
    ('tokens', s, k, m, r)
    ('packed', s, loose)                  loose: widths with gaps between them, some of which no group has
"""
import math, struct
import xxhash, zstandard
import uniform

IDS = {'byteswap': 1, 'difference': 2, 'zigzag': 3, 'planes': 4, 'tuple-planes': 5, 'bit-planes': 6, 'scale': 7,
       'lanes': 8, 'predict': 9, 'tokens': 10, 'packed': 11, 'grid': 13}
SENTENCE = b'This is a tdz file. Plain zstd turns it into residuals, not into the data: decompress it with tdz.'
NONE = 2 ** 64 - 1


def xxh64(data):
    return xxhash.xxh3_64_intdigest(data)


def pad8(data):
    return data + bytes(-len(data) % 8)


# Plans

def parameters(step):
    name, *p = step
    if name == 'difference':
        return struct.pack('<IBBH', p[0], p[1], p[2], 0)
    if name == 'tuple-planes':
        return struct.pack('<I', p[0])
    if name == 'scale':
        return struct.pack('<HBB', p[0], p[1], 0)
    if name == 'lanes':
        s, r, table = p
        assert len(table) == s
        return struct.pack('<HBB', s, r, 0) + b''.join(
            struct.pack('<BBH', order, zigzag | lag << 1 | after << 2, 0xFFFF if source is None else source)
            for order, zigzag, source, lag, after in table)
    if name == 'predict':
        return struct.pack('<HBB', p[0], p[1], 0)
    if name == 'grid':
        return struct.pack('<HBxIII', *p[:5])
    if name == 'tokens':
        return struct.pack('<HBBB3x', *p)
    if name == 'packed':
        return struct.pack('<HH', p[0], 0)
    return b''


def plan_bytes(columns, coding=0):
    out = struct.pack('<BBH', len(columns), coding, 0)
    for c in columns:
        out += struct.pack('<BBH', c['width'], len(c['steps']), c['count'])
    for c in columns:
        for step in c['steps']:
            p = parameters(step)
            out += struct.pack('<HH', IDS[step[0]], len(p)) + p
    return out


# Steps, forwards

def lane_lists(x, s):
    return [x[l::s] for l in range(min(s, len(x)))]


def unlane(lanes, n, s):
    x = [0] * n
    for l, lane in enumerate(lanes):
        x[l::s] = lane
    return x


def runs(lane, r):
    n = 2 ** r if r else max(len(lane), 1)
    return [lane[i:i + n] for i in range(0, len(lane), n)]


def difference_lane(lane, order, r, mod):
    out = []
    for run in runs(lane, r):
        for _ in range(order):
            run = [(a - b) % mod for a, b in zip(run, [0] + run[:-1])]
        out += run
    return out


def zigzag(v, bits):
    return ((v << 1) ^ (-(v >> (bits - 1)))) % (1 << bits)


def signed(v, bits):
    return v - (1 << bits) if v >> (bits - 1) else v


def descale(q, num, den, kind, w):
    """The word that q stands for, or None where that is corrupt."""
    if abs(q) > 2 ** 53:
        return None
    t = float(q)
    if num != 1:
        t = t * num
    if den != 1:
        t = t / den
    if kind == 0:
        return None if abs(t) >= 2.0 ** 63 else round(t) % (1 << 8 * w)
    if w == 8:
        if math.isinf(t) or (t != 0 and abs(t) < 2.0 ** -1022):
            return None
        return struct.unpack('<Q', struct.pack('<d', t))[0]
    if t != 0 and abs(t) < 2.0 ** -126:
        return None
    try:
        packed = struct.pack('<f', t)
    except OverflowError:
        return None
    return struct.unpack('<I', packed)[0]


def value_of(word, kind, w):
    if kind == 0:
        return float(signed(word, 8 * w))
    return struct.unpack('<d' if w == 8 else '<f', word.to_bytes(w, 'little'))[0]


def scale_word(word, num, den, kind, w):
    """q, or None: a hole."""
    x = value_of(word, kind, w)
    if math.isnan(x) or math.isinf(x):
        return None
    y = x * den / num
    if math.isinf(y) or abs(y) > 2.0 ** 53:
        return None
    q = round(y)
    if not -(1 << 8 * w - 1) <= q < (1 << 8 * w - 1):
        return None
    return q if descale(q, num, den, kind, w) == word else None


def scale(x, w, s, kind, pairs, mode):
    mod, n = 1 << 8 * w, len(x)
    holes, groups, out = [False] * n, {}, [0] * n
    for l in range(min(s, n)):
        before = 0
        for j, i in enumerate(range(l, n, s)):
            key = (l, j // 1024)
            if pairs and key not in groups:
                group = x[l::s][1024 * key[1]:1024 * key[1] + 1024]
                fits = [sum(scale_word(v, a, b, kind, w) is not None for v in group) for a, b in pairs]
                groups[key] = fits.index(max(fits))
            if pairs:
                q = scale_word(x[i], *pairs[groups[key]], kind, w)
            else:  # a fill value alone: the commonest word
                q = x[i]
            if q is None:
                holes[i] = True
                q = before
            out[i] = before = q % mod
    if not pairs and mode == 'constant':
        fill = max(set(x), key=x.count) if n else 0
        for l in range(min(s, n)):
            before = 0
            for i in range(l, n, s):
                if x[i] == fill:
                    holes[i], out[i] = True, before
                before = out[i]
    words = [v for v, h in zip(x, holes) if h]
    bitmap = raw = b''
    if any(holes):
        bits = sum(1 << i for i, h in enumerate(holes) if h)
        bitmap = bits.to_bytes(-(-n // 8), 'little')
        if mode == 'constant' and len(set(words)) == 1:
            words = words[:1]
        raw = b''.join(v.to_bytes(w, 'little') for v in words)
    table = b''.join(struct.pack('<dd', *p) for p in pairs) if n else b''
    chosen = bytes(groups[key] for key in sorted(groups)) if len(pairs) > 1 else b''
    return out, [table, chosen, bitmap, raw]


def lanes_step(x, w, s, r, table):
    mod, n = 1 << 8 * w, len(x)
    entering, out = [x[l::s] for l in range(s)], []
    for l in range(min(s, n)):
        order, zig, source, lag, after = table[l]
        v = entering[l]
        m = [] if source is None else entering[source]

        def minus(v):
            return [(a - m[i - lag]) % mod if 0 <= i - lag < len(m) else a for i, a in enumerate(v)]
        if not after:
            v = minus(v)
        v = difference_lane(v, order, r, mod)
        if after:
            v = minus(v)
        if zig:
            v = [zigzag(a, 8 * w) for a in v]
        out.append(v)
    return unlane(out, n, s)


def predict(x, w, s, is_signed, choose):
    bits, mod, out, shapes, coefficients, number = 8 * w, 1 << 8 * w, [], b'', b'', 0
    for lane in lane_lists(x, s):
        done = []
        for at in range(0, len(lane), 4096):
            block = lane[at:at + 4096]
            shift, c = choose(number)
            number += 1
            shapes += bytes([len(c), shift])
            coefficients += struct.pack(f'<{len(c)}h', *c)
            wide = [signed(v, bits) if is_signed else v for v in block]
            for i, v in enumerate(block):
                if i < len(c):
                    guess = block[i - 1] if i else 0
                else:
                    total = signed(sum(a * wide[i - j] for j, a in enumerate(c, 1)) % 2 ** 64, 64)
                    guess = total >> shift
                done.append((v - guess) % mod)
        out.append(done)
    return unlane(out, len(x), s), [shapes + coefficients]


class Grid:
    """Words as lines of points: what stands where, by the table of section 3."""
    def __init__(self, x, w, s, is_signed, line, height):
        self.x, self.w, self.s, self.is_signed, self.line = x, w, s, is_signed, line
        self.lines = len(x) // (s * line)
        self.high = min(height, self.lines) if height else self.lines

    def at(self, y, l, p):
        """A word as a number; points outside of a line are its ends."""
        if y < 0 or l < 0:
            return 0
        word = self.x[(y * self.line + min(max(p, 0), self.line - 1)) * self.s + l]
        return signed(word, 8 * self.w) if self.is_signed else word

    def above(self, y):
        return y - 1 if y % self.high else y - self.high if y >= self.high else y

    def neighbours(self, y, l, p):
        up, v, back = self.above(y), y % self.high, y - self.high
        own = [self.at(y, l, p - d) if p >= d else self.at(up, l, 0) for d in (1, 2)]
        lines = [(up, l, (0, -1, 1, -2, 2)), (self.above(up), l, (0,)), (y, l - 1, (0, -1, 1)), (up, l - 1, (0, -1, 1)),
                 (back, l, (0, -1, 1)), (back - (v > 0), l, (0, -1, 1)), (back + (v < self.high - 1), l, (0, -1, 1)),
                 (back if y < 2 * self.high else back - self.high, l, (0,))]
        return own + [self.at(a, b, p + d) if y >= self.high or n < 4 else 0
                      for n, (a, b, points) in enumerate(lines) for d in points]

    def block(self, y, l, p):
        row = y // self.high * -(-self.high // 8) + y % self.high // 8
        return (row * self.s + l) * -(-self.line // 16) + p // 16


def grid(x, w, s, is_signed, line, height, neighbours, predictors, choose):
    g, out = Grid(x, w, s, is_signed, line, height), list(x)
    if g.lines == 0:
        return out, [b'', b'']
    choices = [choose(b) for b in range(g.block(g.lines - 1, s - 1, line - 1) + 1)]
    for i in range(g.lines * line * s):
        y, p, l = i // (line * s), i // s % line, i % s
        if y == 0:
            told = x[i - s] if p else 0
        else:
            named = [v for b, v in enumerate(g.neighbours(y, l, p)) if neighbours >> b & 1]
            total = 2048 + sum(a * b for a, b in zip(predictors[choices[g.block(y, l, p)]], named))
            told = signed(total % 2 ** 64, 64) >> 12
        out[i] = (x[i] - told) % (1 << 8 * w)
    return out, [bytes(choices), b''.join(struct.pack(f'<{len(c)}h', *c) for c in predictors)]


def tokens(x, w, s, k, m, r):
    """Tokens and raw bits; then for each lane the bytes of raw bits of each run."""
    out, raw, all_lengths = b'', b'', []
    for lane in lane_lists(x, s):
        lane_lengths = []
        for run in runs(lane, r):
            value = bits = 0
            for z in run:
                if z < 1 << k:
                    out += bytes([z])
                    continue
                f = z.bit_length() - 1
                out += bytes([(1 << k) + ((f - k) << m) + ((z >> (f - m)) & ((1 << m) - 1))])
                value = value << (f - m) | (z & ((1 << (f - m)) - 1))
                bits += f - m
            size = -(-bits // 8)
            raw += (value << (8 * size - bits)).to_bytes(size, 'little')
            lane_lengths.append(size)
        all_lengths.append(lane_lengths)
    return [out, raw], all_lengths


def widths_of(needed, w, loose):
    """At most 16 widths, ascending, for groups that need these."""
    if loose:  # some of them, W among them, whether a group has them or not
        return sorted({8 * w} | set(range(w % 2, 8 * w, max(w, 2))))
    count = {b: needed.count(b) for b in needed}
    listed = sorted(count)
    while len(listed) > 16:  # the groups of one take the next, where that costs least
        i = min(range(len(listed) - 1), key=lambda i: count[listed[i]] * (listed[i + 1] - listed[i]))
        count[listed[i + 1]] += count[listed[i]]
        del listed[i]
    return listed


def packed(x, w, s, loose=False):
    groups = []
    for begin in range(0, len(x), 16 * s):
        groups += lane_lists(x[begin:begin + 16 * s], s)
    needed = [max(group).bit_length() for group in groups]
    widths = widths_of(needed, w, loose) if groups else []
    codes, places, bits = [], b'', b''
    for g, (group, b) in enumerate(zip(groups, needed)):
        places += struct.pack('<I', len(bits)) if g % 256 == 0 else b''
        codes.append(next(i for i, width in enumerate(widths) if width >= b))
        b = widths[codes[-1]]
        bits += sum(v << b * i for i, v in enumerate(group)).to_bytes(2 * b, 'little')
    codes += [0] * (len(codes) % 2)
    return [bytes(widths), bytes(a | b << 4 for a, b in zip(codes[0::2], codes[1::2])), places, bits]


def layout(x, w, step):
    n = len(x)
    data = b''.join(v.to_bytes(w, 'little') for v in x)
    if step is None:
        return [data]
    if step[0] == 'packed':
        return packed(x, w, *step[1:])
    if step[0] == 'planes':
        return [b''.join(data[b::w] for b in range(w))]
    if step[0] == 'tuple-planes':
        s = step[1]
        out = b''
        for l in range(min(s, n)):
            lane = b''.join(v.to_bytes(w, 'little') for v in x[l::s])
            out += b''.join(lane[b::w] for b in range(w))
        return [out]
    if step[0] == 'bit-planes':
        m = n - n % 8
        out = bytearray()
        for b in range(8 * w):
            for k in range(m // 8):
                out.append(sum((x[8 * k + j] >> b & 1) << j for j in range(8)))
        return [bytes(out) + data[m * w:]]
    raise ValueError(step)


def encode_column(data, c, uniform=False):
    """Substreams of a column, and for uniform blocks (tokens substream's number, lanes, r, run lengths)."""
    w = c['width']
    mod = 1 << 8 * w
    x = [int.from_bytes(data[i:i + w], 'little') for i in range(0, len(data), w)]
    streams, last, blocks = [], None, None
    for step in c['steps']:
        name, *p = step
        if name == 'byteswap':
            x = [int.from_bytes(v.to_bytes(w, 'little'), 'big') for v in x]
        elif name == 'difference':
            s, order, r = p
            s = min(s, max(len(x), 1))
            x = unlane([difference_lane(lane, order, r, mod) for lane in lane_lists(x, s)], len(x), s)
        elif name == 'zigzag':
            x = [zigzag(v, 8 * w) for v in x]
        elif name == 'scale':
            x, side = scale(x, w, *p)
            streams += side
        elif name == 'lanes':
            x = lanes_step(x, w, *p)
        elif name == 'predict':
            x, side = predict(x, w, *p)
            streams += side
        elif name == 'grid':
            x, side = grid(x, w, *p)
            streams += side
        else:
            last = step
    if last and last[0] == 'tokens':
        uniform = uniform and last[4] in (10, 11, 12) and all(step[0] != 'grid' for step in c['steps'])
        side, lengths = tokens(x, w, *last[1:])
        blocks = uniform and (len(streams), [len(lane) for lane in lane_lists(x, last[1])], last[4], lengths)
        streams += side
    else:
        streams += layout(x, w, last)
    return streams, blocks


def encode_columns(data, columns, uniform=False):
    """All substreams of a chunk; and what uniform blocks are made of."""
    row = sum(c['width'] * c['count'] for c in columns)
    rows = len(data) // row
    streams, at, blocks = [], 0, []
    for c in columns:
        size = c['width'] * c['count']
        gathered = b''.join(data[r * row + at:r * row + at + size] for r in range(rows))
        side, found = encode_column(gathered, c, uniform)
        if found:
            blocks.append((len(streams) + found[0],) + found[1:])
        streams += side
        at += size
    if len(data) % row:
        streams.append(data[rows * row:])
    return streams, blocks


# Records

def record(kind, tag, body, growth=b''):
    body = pad8(body + growth)
    head = struct.pack('<II4s4sQ', 0x184D2A5A, 32 + len(body), b'tdz\x1a', kind, tag)
    out = head + struct.pack('<Q', xxh64(head)) + body
    return out + struct.pack('<Q', xxh64(out))


def link(chain, digest):
    """The chain of the next chunk."""
    return xxh64(struct.pack('<QQ', chain, digest))


def chain_of(digests):
    """The chain behind chunks with these digests."""
    chain = xxh64(b'')
    for digest in digests:
        chain = link(chain, digest)
    return chain


def header_tag(minor=0, features=1):
    return struct.unpack('<Q', struct.pack('<BBHHH', 1, minor, features, 0, 0))[0]


def minor_version(columns):
    """The first minor version that has all steps of these columns."""
    return int(any(step[0] in ('packed', 'grid') for c in columns for step in c['steps']))


def zstd_frame(data, level=3):
    params = zstandard.ZstdCompressionParameters.from_level(level, source_size=len(data), write_checksum=True,
                                                            write_content_size=True, write_dict_id=False)
    return zstandard.ZstdCompressor(compression_params=params).compress(data)


def chunk(data, columns, frame=1 << 20, level=3, coding=0, tag=0, place=0, number=0, offset=0, growth=b'', chain=0,
          raw=False, checksum=True):
    """CHK and its frames; tag, place, number, offset and chain are zero in a lone block.

    raw: every substream is in frames of its own, of raw blocks; checksum: they have one.
    """
    streams, blocks = encode_columns(data, columns, coding == 1)
    frames, entries = [], []
    if coding == 1:
        frames, entries = uniform.frames(streams, blocks, level)
    elif raw:
        pieces = [s[i:i + frame] for s in streams for i in range(0, len(s), frame)]
        frames = [(uniform.raw_frame(piece, checksum), len(piece)) for piece in pieces]
    else:
        joined = b''.join(streams)
        for i in range(0, len(joined), frame):
            frames.append((zstd_frame(joined[i:i + frame], level), len(joined[i:i + frame])))
    plan = plan_bytes(columns, coding)
    body = struct.pack('<QQQQIIIIIB3xQ', place, number, offset, xxh64(data), len(data), len(plan), len(streams),
                       len(frames), len(entries), 1, chain)
    body += pad8(plan) + pad8(b''.join(struct.pack('<I', len(s)) for s in streams))
    body += b''.join(struct.pack('<II', len(f), n) for f, n in frames)
    body += b''.join(entries)
    return record(b'CHK ', tag, body, growth) + b''.join(f for f, _ in frames), plan


def stream(chunks, C=1 << 20, largest_frame=1 << 20, nominal=b'', known=True, whole=True, entries_a_part=65536,
           level=3, note=None):
    """chunks: [(data, columns, coding)]; note: the content of a note before every CHK, INDX and END."""
    total = sum(len(d) for d, _, _ in chunks)
    minor = max((minor_version(columns) for _, columns, _ in chunks), default=0)
    out = record(b'HDR ', header_tag(minor), struct.pack('<QIIHHI', total if known else NONE, C, largest_frame,
                                                    len(nominal), len(SENTENCE), 0) + nominal + SENTENCE)
    digests = [xxh64(d) for d, _, _ in chunks]
    tag = xxh64(out + b''.join(struct.pack('<Q', d) for d in digests[:1]))
    offset, last_index, part, first = 0, NONE, [], 0

    def a_note():
        return b'' if note is None else record(b'note', tag, struct.pack('<Q', len(out)) + note)
    for number, (data, columns, coding) in enumerate(chunks):
        out += a_note()
        stored, plan = chunk(data, columns, largest_frame, level, coding, tag, len(out), number, offset,
                             chain=chain_of(digests[:number]))
        part.append((len(out), offset, digests[number], len(data), len(stored), plan))
        out += stored
        offset += len(data)
        last = number == len(chunks) - 1
        if last or len(part) == entries_a_part:
            out += a_note()
            plans = list(dict.fromkeys(e[5] for e in part))
            table = b''.join(plans)
            body = struct.pack('<QQQIIIBB2x', len(out), first, last_index, len(part), len(plans), len(table), last, 1)
            body += pad8(table)
            for e in part:
                body += struct.pack('<QQQIIH6x', *e[:5], plans.index(e[5]))
            last_index = len(out)
            out += record(b'INDX', tag, body)
            part, first = [], number + 1
    out += a_note()
    everything = b''.join(d for d, _, _ in chunks)
    body = struct.pack('<QQQQQ', len(out) + 104, len(chunks), offset, last_index, chain_of(digests))
    body += (xxhash.xxh3_128_digest(everything) if whole else bytes(16)) + struct.pack('<Q', 1 if whole else 0)
    end = record(b'END ', tag, body)
    assert len(end) == 104
    return out + end
