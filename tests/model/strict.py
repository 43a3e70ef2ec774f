# SPDX-License-Identifier: Apache-2.0
"""A reader of whole .tdz files and lone blocks that gives the verdicts of formats/FORMAT.md, section 5,
in the order of that section.

read(file) and lone(block) return the original, or raise Truncated, Unsupported or Corrupt.
"""
import struct
import numpy as np
import xxhash, zstandard
from strict_columns import LAYOUT, decode_column, groups_of, lane_n, substreams_of, undo_packed
from strict_errors import Bad, Corrupt, Truncated, Unsupported, corr, unsup

NONE = 2 ** 64 - 1
LIMITS = {b'HDR ': (64, 4096), b'CHK ': (104, 8667368), b'INDX': (80, 3674192), b'END ': (104, 104)}
NOTE = (48, 65536)
RUNS = (0,) + tuple(range(10, 17))
PARAMETERS = {1: 0, 2: 8, 3: 0, 4: 0, 5: 4, 6: 0, 7: 4, 9: 4, 10: 8, 11: 4, 13: 16}  # bytes; lanes (8) has 4 + 4 s


def xxh64(data):
    return xxhash.xxh3_64_intdigest(data)


def up8(n):
    return -(-n // 8) * 8


def zero(data, what):
    unsup(not any(data), 'not zero: ' + what)


def is_note(kind):
    return 0x61 <= kind[0] <= 0x7A


# Records: everything up to the tag. The tag and the body are judged by those who call.

def record(file, p, allowed, notes=True):
    """(kind, bytes, tag) of the record at p, whose kind must be one of `allowed`, or a note."""
    head = bytes(file[p:p + 32])
    corr(head[:4] == b'\x5a\x2a\x4d\x18'[:len(head)], 'magic')
    corr(head[8:12] == b'tdz\x1a'[:max(len(head) - 8, 0)], 'tdz 1A')
    if len(head) < 32:
        raise Truncated('a prefix')
    size, kind, tag, check = struct.unpack_from('<4xI4x4sQQ', head)
    corr(xxh64(head[:24]) == check, 'prefix check')
    if kind == b'HDR ':
        unsup(head[16] == 1, 'major version')
        unsup(struct.unpack_from('<H', head, 18)[0] == 1, 'features')
        zero(head[22:24], 'HDR 22')
    unsup(kind in LIMITS or is_note(kind), 'kind')
    corr(kind in allowed or notes and is_note(kind), 'place of a record')
    least, most = LIMITS.get(kind, NOTE)
    corr(size % 8 == 0 and least <= size + 8 <= most, 'T')
    T = size + 8
    if len(file) - p < T:
        raise Truncated('a record')
    whole = bytes(file[p:p + T])
    corr(xxh64(whole[:-8]) == struct.unpack_from('<Q', whole, T - 8)[0], 'check')
    return kind, whole, tag


# Plans

def shape(plan, at, end):
    """Heads, steps and the first byte behind the plan, which may not reach beyond `end`."""
    corr(at + 4 <= end, 'shape of a plan')
    first, number = at, plan[at]
    at += 4
    corr(at + 4 * number <= end, 'shape of a plan')
    heads = [struct.unpack_from('<BBH', plan, at + 4 * c) for c in range(number)]
    at += 4 * number
    columns = []
    for width, steps, count in heads:
        listed = []
        for _ in range(steps):
            corr(at + 4 <= end, 'shape of a plan')
            step, size = struct.unpack_from('<HH', plan, at)
            at += 4
            corr(at + size <= end, 'shape of a plan')
            listed.append((step, bytes(plan[at:at + size])))
            at += size
        columns.append((width, count, listed))
    return plan[first + 1], bytes(plan[first + 2:first + 4]), columns, at


def step_values(w, step, p):
    """What the parameters of a step say; its length first, then its values."""
    unsup(step in PARAMETERS or step == 8, 'step')
    if step == 8:
        corr(len(p) >= 4, 'length of parameters')
        corr(len(p) == 4 + 4 * struct.unpack_from('<H', p)[0], 'length of parameters')
    else:
        corr(len(p) == PARAMETERS[step], 'length of parameters')
    if step == 2:
        s, order, r, z = struct.unpack('<IBBH', p)
        unsup(s >= 1 and 1 <= order <= 8 and r in RUNS and z == 0, 'difference')
        return s, order, r
    if step == 5:
        s, = struct.unpack('<I', p)
        unsup(s >= 1, 'tuple-planes')
        return s,
    if step == 7:
        s, kind, z = struct.unpack('<HBB', p)
        unsup(1 <= s <= 256 and (kind == 0 or kind == 1 and w in (4, 8)) and z == 0, 'scale')
        return s, kind
    if step == 8:
        return lanes_values(p)
    if step == 9:
        s, signed, z = struct.unpack('<HBB', p)
        unsup(1 <= s <= 256 and signed <= 1 and z == 0, 'predict')
        return s, signed
    if step == 10:
        s, k, m, r = struct.unpack_from('<HBBB', p)
        unsup(1 <= s <= 256 and m <= k <= 7 and r in RUNS and 2 ** k + (8 * w - k) * 2 ** m <= 256 and not any(p[5:]),
              'tokens')
        return s, k, m, r
    if step == 11:
        s, z = struct.unpack('<HH', p)
        unsup(1 <= s <= 256 and z == 0, 'packed')
        return s,
    if step == 13:
        s, signed, z, line, height, neighbours = struct.unpack('<HBBIII', p)
        unsup(1 <= s <= 16 and signed <= 1 and z == 0 and line >= 16, 'grid')
        unsup(neighbours < 2 ** 24 and 1 <= bin(neighbours).count('1') <= 16, 'neighbours of grid')
        return s, signed, line, height, neighbours
    return ()


def lanes_values(p):
    s, r, z = struct.unpack_from('<HBB', p)
    unsup(1 <= s <= 256 and r in RUNS and z == 0, 'lanes')
    table = [struct.unpack_from('<BBH', p, 4 + 4 * l) for l in range(s)]
    for order, flags, source in table:
        unsup(order <= 8 and flags < 8 and (source < s or source == 0xFFFF), 'a lane')
        unsup(source < s or flags & 6 == 0, 'lag or after without a source')
    for l in range(s):
        deep = 0
        while table[l][2] != 0xFFFF:
            l, deep = table[l][2], deep + 1
            unsup(deep <= 8, 'sources too deep, or a cycle')
    return s, r, table


def read_plan(plan):
    """[(width, count, [(step, values)])], bytes of a row"""
    coding, z, columns, end = shape(plan, 0, len(plan))
    corr(end == len(plan), 'shape of a plan')
    unsup(1 <= len(columns) <= 64 and coding <= 1, 'columns or coding')
    zero(z, 'plan')
    for w, count, steps in columns:
        unsup(1 <= w <= 8 and len(steps) <= 8 and count >= 1, 'a column')
    columns = [(w, count, [(step, step_values(w, step, p)) for step, p in steps]) for w, count, steps in columns]
    row = sum(w * count for w, count, _ in columns)
    unsup(row <= 65536, 'row')
    for _, _, steps in columns:
        ids = [step for step, _ in steps]
        unsup(all(step not in LAYOUT for step in ids[:-1]), 'a layout is not the last step')
        unsup(all(ids.count(step) <= 1 for step in (7, 8, 9, 13)), 'a step twice')
        unsup(sum(v[1] for step, v in steps if step == 2) <= 16, 'orders together')
    return columns, row


def blocks_of_grid(n, s, _, line, height, neighbours):
    lines = n // (s * line)
    if lines == 0:
        return 0
    high = lines if height == 0 or height > lines else height
    rows = lines // high * ((high + 7) // 8) + (lines % high + 7) // 8
    return rows * s * ((line + 15) // 16)


def judge_lengths(columns, row, D, lengths):
    """N and every length against what plan and D allow."""
    R = D // row
    number = sum(sum(substreams_of(i) for i, _ in steps) + (not steps or steps[-1][0] not in LAYOUT)
                 for _, _, steps in columns)
    corr(len(lengths) == number + (D % row > 0), 'N')
    given = iter(lengths)
    for w, count, steps in columns:
        n = R * count
        for i, v in steps:
            if i == 7:
                pairs, selectors, bitmap, words = (next(given) for _ in range(4))
                groups = sum(-(-lane_n(n, v[0], l) // 1024) for l in range(min(v[0], n)))
                corr(pairs % 16 == 0 and pairs <= (256 if n else 0), 'length of pairs')
                corr(selectors == (groups if pairs > 16 else 0), 'length of selectors')
                corr(bitmap in (0, -(-n // 8)), 'length of the bitmap')
                corr(words % w == 0 and words <= (n * w if bitmap else 0), 'length of hole words')
            elif i == 9:
                blocks, side = sum(-(-lane_n(n, v[0], l) // 4096) for l in range(min(v[0], n))), next(given)
                corr(side % 2 == 0 and 2 * blocks <= side <= 66 * blocks, "length of predict's side data")
            elif i == 10:
                corr(next(given) == n and next(given) <= n * w, 'length of tokens or raw bits')
            elif i == 11:
                groups, (widths, codes, places, bits) = len(list(groups_of(n, v[0]))), (next(given) for _ in range(4))
                corr(1 <= widths <= 16 if n else widths == 0, 'length of widths')
                corr(codes == -(-groups // 2) and places == 4 * -(-groups // 256), 'length of codes or places')
                corr(bits % 2 == 0 and bits <= 16 * w * groups, 'length of bits')
            elif i == 13:
                blocks, choices, side = blocks_of_grid(n, *v), next(given), next(given)
                each = 2 * bin(v[4]).count('1')
                corr(choices == blocks, 'length of choices')
                corr(side % each == 0 and each <= side <= 256 * each if blocks else side == 0, 'length of predictors')
            elif i in LAYOUT:
                corr(next(given) == n * w, 'length of a layout')
        if not steps or steps[-1][0] not in LAYOUT:
            corr(next(given) == n * w, 'length of words')
    corr(sum(given) == D % row, 'length of the rest')


# Frames

def unframe(data, unpacked):
    """What one frame holds; its checksum is cut off."""
    corr(data[:4] == b'\x28\xb5\x2f\xfd' and len(data) >= 6, 'magic of a frame')
    descriptor = data[4]
    single, checksum, at = descriptor >> 5 & 1, descriptor >> 2 & 1, 5
    corr(descriptor & 3 == 0, 'a dictionary id')
    corr(descriptor & 8 == 0, 'a reserved bit')
    if not single:
        log, mantissa = 10 + (data[5] >> 3), data[5] & 7
        window, at = (1 << log) + ((1 << log) >> 3) * mantissa, 6
    size = (single, 2, 4, 8)[descriptor >> 6]
    corr(size and at + size <= len(data), 'no content size')
    content = int.from_bytes(data[at:at + size], 'little') + (256 if size == 2 else 0)
    corr(content == unpacked, 'content size')
    window = content if single else window
    corr(window <= 8 << 20, 'window')
    at, last = at + size, 0
    most = min(window, 131072)
    while not last:
        corr(at + 3 <= len(data), 'a block ends too early')
        header = int.from_bytes(data[at:at + 3], 'little')
        last, kind, length = header & 1, header >> 1 & 3, header >> 3
        corr(kind < 3, 'type of a block')
        corr(length <= most, 'a block holds too much, or is too long')
        at += 3 + (1 if kind == 1 else length)
        corr(at <= len(data), 'a block ends too early')
    corr(at + 4 * checksum == len(data), 'a frame does not fill its bytes')
    data = data[:4] + bytes([descriptor & ~4]) + data[5:at]
    try:
        out = zstandard.ZstdDecompressor(max_window_size=8 << 20).decompress(data, max_output_size=unpacked)
    except zstandard.ZstdError as e:
        raise Corrupt('zstd: %s' % e)
    corr(len(out) == unpacked, 'length of a frame')
    return out


# Chunks

class Stream:
    """What the records so far say about the next one."""
    def __init__(self, begin, header):
        self.begin, self.tag, self.note_tags = begin, None, set()
        self.size, self.C, self.largest = struct.unpack_from('<QII', header, 32)
        self.chunks, self.original, self.chain = [], 0, xxh64(b'')
        self.plans, self.listed, self.last_part, self.closed = {}, 0, NONE, False


class ChunkRecord:
    """A CHK that was judged as far as no frame is needed; `expected` is (place, number, offset, chain), or None in a
    lone block, and `room(plan)` says whether the index can list the chunk."""
    def __init__(self, whole, C, largest, size, expected, room):
        f = struct.unpack_from('<4Q5IBB', whole, 32)
        self.place, self.number, self.offset, self.digest, D, plan_bytes, N, F, E, digest_kind, features = f
        self.D, chain = D, struct.unpack_from('<Q', whole, 88)[0]
        if expected:
            corr(self.place == expected[0], 'place')
            corr(self.number == expected[1], 'chunk number')
            corr(self.offset == expected[2], 'original offset')
        corr(1 <= D <= C, 'D')
        if expected:
            corr(self.offset + D <= (NONE - 1 if size == NONE else size), 'beyond the original size')
        self.S = 5 * D // 2 + 65536
        corr(plan_bytes <= 65536 and N <= 1024 and F <= self.S // 4096 + N and E <= D // 4096 + 16384, 'a count')
        unsup(digest_kind == 1 and features == 0, 'digest kind or features')
        zero(whole[86:88], 'CHK 86')
        if expected:
            corr(chain == expected[3], 'chain')
        corr(up8(96 + plan_bytes) + up8(4 * N) + 8 * F + 12 * E + 8 <= len(whole), 'counts beyond T')
        self.plan = whole[96:96 + plan_bytes]
        self.columns, self.row = read_plan(self.plan)
        at = up8(96 + plan_bytes)
        zero(whole[96 + plan_bytes:at], 'pad of the plan')
        corr(room(self.plan), 'no part of the index can list this')
        self.judge_lengths(whole, at, N)
        self.judge_frames(whole, at + up8(4 * N), F, largest)

    def judge_lengths(self, whole, at, N):
        self.lengths = struct.unpack_from('<%dI' % N, whole, at)
        judge_lengths(self.columns, self.row, self.D, self.lengths)
        corr(sum(self.lengths) <= self.S, 'S')
        zero(whole[at + 4 * N:at + up8(4 * N)], 'pad of lengths')

    def judge_frames(self, whole, at, F, largest):
        self.frames = list(zip(*[iter(struct.unpack_from('<%dI' % (2 * F), whole, at))] * 2))
        for packed, unpacked in self.frames:
            corr(1 <= unpacked <= largest, 'unpacked')
            corr(4 * -(-unpacked // 131072) <= packed <= unpacked + unpacked // 128 + 512, 'packed')
        corr(sum(u for _, u in self.frames) == sum(self.lengths), 'sum of frames')
        self.stored = len(whole) + sum(packed for packed, _ in self.frames)

    def decode(self, file, start):
        """The original, of frames that begin at `start`."""
        parts = []
        for packed, unpacked in self.frames:
            parts.append(unframe(bytes(file[start:start + packed]), unpacked))
            start += packed
        data = undo(self.columns, self.row, self.D, b''.join(parts), self.lengths)
        corr(xxh64(data) == self.digest, 'digest')
        return data


def undo(columns, row, D, joined, lengths):
    ends = np.cumsum((0,) + lengths)
    substreams = [joined[a:b] for a, b in zip(ends, ends[1:])]
    R = D // row
    table, j, at = np.zeros((R, row), np.uint8), 0, 0
    for w, count, steps in columns:
        number = sum(substreams_of(i) for i, _ in steps) + (not steps or steps[-1][0] not in LAYOUT)
        words = decode_column(w, steps, R * count, substreams[j:j + number])
        table[:, at:at + w * count] = np.frombuffer(words, np.uint8).reshape(R, w * count)
        j, at = j + number, at + w * count
    return table.tobytes() + b''.join(substreams[j:])


def lone(block):
    _, whole, _ = record(block, 0, (b'CHK ',), notes=False)
    chunk = ChunkRecord(whole, 1 << 30, 1 << 30, NONE, None, lambda plan: True)
    if len(block) < chunk.stored:
        raise Truncated('frames')
    corr(len(block) == chunk.stored, 'bytes behind the last frame')
    return chunk.decode(block, len(whole))


# Streams

def judge_index(whole, p, stream):
    chunks = stream.chunks[stream.listed:]
    place, first, before, entries, plans, size, flag, digest_kind, z = struct.unpack_from('<QQQIIIBBH', whole, 32)
    corr((place, first, before) == (p - stream.begin, stream.listed, stream.last_part), 'INDX: place, first or before')
    table = b''.join(stream.plans)
    corr((entries, plans, size) == (len(chunks), len(stream.plans), len(table)), 'INDX: counts')
    unsup(flag <= 1 and digest_kind == 1 and z == 0, 'INDX: flag, digest kind or zero')
    at = 72 + up8(size)
    corr(at + 40 * entries + 8 <= len(whole), 'INDX: counts beyond T')
    corr(whole[72:72 + size] == table, 'INDX: plans')
    zero(whole[72 + size:at], 'INDX: pad')
    for i, c in enumerate(chunks):
        entry = struct.unpack_from('<QQQIIH', whole, at + 40 * i)
        corr(entry == c[:5] + (list(stream.plans).index(c[5]),), 'INDX: an entry')
        zero(whole[at + 40 * i + 34:at + 40 * i + 40], 'INDX: an entry')
    stream.closed, stream.listed, stream.last_part, stream.plans = flag == 1, len(stream.chunks), p - stream.begin, {}


def judge_end(whole, p, stream):
    size, chunks, original, last, chain = struct.unpack_from('<5Q', whole, 32)
    corr(size == p - stream.begin + 104, 'END: stream bytes')
    corr(chunks == len(stream.chunks) and original == stream.original, 'END: totals')
    corr(stream.size in (NONE, original), 'END: original size')
    corr(last == stream.last_part, 'END: last INDX')
    corr(chain == stream.chain, 'END: chain')
    zero(whole[89:96], 'END')


class Seen:
    """What a reader delivers: pieces of the original, and (END, the original of its stream) for each stream."""
    def __init__(self):
        self.pieces, self.ends, self.total = [], [], 0

    def wants(self, D):
        """Shall the chunk be decoded that has the next D bytes?"""
        return True

    def take(self, data, D):
        """data is None if it was not wanted."""
        self.total += D
        self.pieces.append(data)

    def original(self):
        return b''.join(self.pieces)


def judge_header(header):
    """(original size, C, largest frame)"""
    size, C, largest, type_bytes, sentence = struct.unpack_from('<QIIHH', header, 32)
    unsup(65536 <= C <= 1 << 30 and 4096 <= largest <= C, 'C or the largest frame')
    corr(56 + type_bytes + sentence + 8 <= len(header), 'HDR: type and sentence')
    zero(header[52:56], 'HDR 52')
    return size, C, largest


def take_chunk(file, p, whole, stream, seen):
    """The first byte behind the frames."""
    def room(plan):
        size = sum(map(len, stream.plans)) + (0 if plan in stream.plans else len(plan))
        return len(stream.chunks) - stream.listed < 65536 and size <= 1 << 20
    chunk = ChunkRecord(whole, stream.C, stream.largest, stream.size,
                        (p - stream.begin, len(stream.chunks), stream.original, stream.chain), room)
    if len(file) - p < chunk.stored:
        raise Truncated('frames')
    seen.take(chunk.decode(file, p + len(whole)) if seen.wants(chunk.D) else None, chunk.D)
    stream.chunks.append((chunk.place, chunk.offset, chunk.digest, chunk.D, chunk.stored, chunk.plan))
    stream.plans.setdefault(chunk.plan)
    stream.original += chunk.D
    stream.chain = xxh64(struct.pack('<Q', stream.chain) + whole[56:64])
    return p + chunk.stored


def read_stream(file, begin, seen):
    """The first byte behind the stream."""
    _, header, _ = record(file, begin, (b'HDR ',), notes=False)
    stream, first, p = Stream(begin, header), len(seen.pieces), begin + len(header)
    judge_header(header)
    while True:
        unlisted = len(stream.chunks) - stream.listed
        allowed = (b'END ',) if not unlisted and (stream.closed or not stream.chunks) else ()
        allowed += () if stream.closed else (b'CHK ',)
        allowed += (b'INDX',) if unlisted else ()
        kind, whole, tag = record(file, p, allowed)
        if stream.tag is None and kind in (b'CHK ', b'END '):
            stream.tag = xxh64(header + (whole[56:64] if kind == b'CHK ' else b''))
        if is_note(kind) and stream.tag is None:
            stream.note_tags.add(tag)
        else:
            corr(tag == stream.tag, 'tag')
            corr(stream.note_tags <= {tag}, 'tag of a note')
        if kind == b'CHK ':
            p = take_chunk(file, p, whole, stream, seen)
            continue
        if is_note(kind):
            corr(struct.unpack_from('<Q', whole, 32)[0] == p - begin, 'place of a note')
        elif kind == b'INDX':
            judge_index(whole, p, stream)
        else:
            judge_end(whole, p, stream)
            seen.ends.append((whole, b''.join(seen.pieces[first:])))
            return p + 104
        p += len(whole)


def read(file, seen=None):
    """`seen` holds what was delivered before an error."""
    file, p, seen = memoryview(bytes(file)), 0, seen or Seen()
    while True:
        p = read_stream(file, p, seen)
        while p < len(file) and file[p] == 0:
            p += 1
        if p == len(file):
            return seen.original()
