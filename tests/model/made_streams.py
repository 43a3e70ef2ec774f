# SPDX-License-Identifier: Apache-2.0
"""Random lone blocks and files of format 1.1, valid and damaged, by the model's writer: block(seed),
file(seed).

A damage stands before or after the checks of its record: before, and the checks are right, so that a reader
has to see what is wrong. Where the model decodes what was damaged, the digest is often made right too: then
the chunk is valid, and no writer would have written it.
"""
import random, struct
import bad, check, recovery, strict, uniform, writer

NONE = strict.NONE


class Made:
    """bytes; how: what was done. Forged: records say what is wrong of the stream, under right checks, or
    records of one stream were put into another."""
    def __init__(self, data, how, streams=1):
        self.bytes, self.how = data, how
        self.forged = any(word.split()[0] in ('header', 'END', 'INDX', 'parts', 'hurt_fields', 'wrong_fields')
                          for word in how)
        self.forged |= streams > 1 and 'swap_records' in how


# Chunks


def uniform_chunk(R):
    """Some words in uniform blocks."""
    w, s, r = R.choice([1, 2, 2, 4]), R.choice([1, 1, 2]), R.choice([10, 10, 10, 11])
    k, m = R.choice([(2, 1), (3, 1), (3, 2)]) if w > 1 else R.choice([(3, 1), (7, 7)])
    steps = R.choice([[], [('difference', s, 1, r), ('zigzag', )], [('zigzag', )], [('difference', s, 2, 0)]])
    columns = [{'width': w, 'count': 1, 'steps': steps + [('tokens', s, k, m, r)]}]
    n = (4 << r) * s * R.choice([1, 1, 2]) + R.choice([0, 1, R.randrange(3000)])
    data = b''.join(v.to_bytes(w, 'little') for v in check.some_words(n, w)) + R.randbytes(R.randrange(w))
    return data, columns


def packed_chunk(R):
    """Packed groups as a device reads them, of one place or several."""
    w, s = R.choice([1, 2, 4, 8]), R.choice([1, 1, 2, 3, 7, 32])
    steps = R.choice([[], [('zigzag', )], [('difference', s, R.randrange(1, 9), 0), ('zigzag', )],
                      [('difference', s, 1, 0)], [('difference', R.choice([1, 2, 5]), R.randrange(1, 9), 0)]])
    n = R.choice([R.randrange(1, 40), R.randrange(1, 40), R.randrange(1, 600), R.randrange(4096, 5000)])
    return (b''.join(v.to_bytes(w, 'little') for v in check.some_words(n, w)), [{
        'width':
        w,
        'count':
        1,
        'steps':
        steps + [('packed', s, R.random() < 0.2)]
    }])


def step_chunk(R):
    """So many words that a step with side data has something to do."""
    wished, n, column = R.choice(['grid', 'grid', 'predict', 'scale', 'lanes',
                                  'tokens']), R.randrange(40, 500), None
    while column is None or wished not in [step[0] for step in column['steps']]:
        column = check.some_column(n)
    data = b''.join(v.to_bytes(column['width'], 'little') for v in check.some_column_words(n, column))
    return data + R.randbytes(R.randrange(column['width'])), [column]


def some_chunk(R, most):
    """(original, columns, coding); small ones above all."""
    check.R = R
    if R.random() < 0.02:
        return *uniform_chunk(R), 1
    if R.random() < 0.12:
        return *packed_chunk(R), 0
    if R.random() < 0.2:
        return *step_chunk(R), int(R.random() < 0.1)
    if R.random() < 0.03:
        most = 20 * most
    return *check.some_chunk(most), int(R.random() < 0.1)


class Chunk:
    """What stands in CHK and frames."""
    def __init__(self, R, most):
        while True:
            self.data, columns, coding = some_chunk(R, most)
            self.streams, blocks = writer.encode_columns(self.data, columns, coding == 1)
            if sum(map(len, self.streams)) <= 5 * len(self.data) // 2 + 65536:
                break
        self.plan, self.entries, self.how, self.more = writer.plan_bytes(columns, coding), b'', [], {}
        self.minor, self.packed = writer.minor_version(columns), any(
            c['steps'] and c['steps'][-1][0] == 'packed' for c in columns)
        if any(columns and lanes and max(lanes) >= 4 << r for _, lanes, r, _ in blocks):
            self.pieces, entries = uniform.frames(self.streams, blocks, 3, R.choice([8, 16]),
                                                  R.choice([7, 8, 11]),
                                                  R.random() < 0.5,
                                                  R.random() < 0.5)
            self.entries = b''.join(entries)
        else:
            self.pieces = None

    def frames(self, R):
        """(packed, unpacked) of each frame."""
        if self.pieces is None:
            how = R.choice(['for a device'] * 6 +
                           ['one raw', 'mixed'] if self.packed else ['mixed', 'mixed', 'one zstd', 'one raw'])
            self.pieces = list(frames_of(R, b''.join(self.streams), how))
        return self.pieces

    def fields(self, R):
        """For bad.chk, beside the original."""
        pieces = self.frames(R)
        return dict(plan=self.plan,
                    lengths=[len(s) for s in self.streams],
                    frames=[f for f, _ in pieces],
                    unpacked=[n for _, n in pieces],
                    entries=self.entries,
                    **self.more)


def frames_of(R, joined, how):
    if how != 'mixed':
        made = {
            'one raw': uniform.raw_frame(joined,
                                         R.random() < 0.3,
                                         R.random() < 0.5),
            'for a device': uniform.raw_frame(joined, False, True),
            'one zstd': writer.zstd_frame(joined)
        }
        if joined:
            yield made[how], len(joined)
        return
    while joined:
        n = R.choice([len(joined), R.randrange(1, len(joined) + 1), R.randrange(1, min(len(joined), 40) + 1)])
        n, kind = max(n, len(joined) // 8), R.randrange(6)
        piece, joined = joined[:n], joined[n:]
        if kind == 0:
            yield uniform.raw_frame(piece, R.random() < 0.5, R.random() < 0.5), n
        elif kind == 1 and n <= 131072 and piece == piece[:1] * n:
            yield bad.frame(piece, blocks=bad.block(1, n, piece[:1])), n
        elif kind == 2 and n <= 131072:
            window = R.choice([None, None, 7 << 3, 13 << 3])
            yield bad.frame(piece, R.choice([0x80, 0x90]) if window else R.choice([0xA0, 0xB0]), window), n
        else:
            yield writer.zstd_frame(piece, R.choice([1, 3, 3, 19, -5])), n


# Damage before the checks


def change_byte(R, data, first=NONE):
    out = bytearray(data)
    i = R.randrange(min(len(out), first))
    out[i] = R.choice([
        out[i] ^ 1 << R.randrange(8), out[i] ^ 1 << R.randrange(8), 0, 1, 255, (out[i] + 1) % 256,
        (out[i] - 1) % 256,
        R.randrange(256)
    ])
    return bytes(out)


def hurt_substream(R, chunk):
    """Side data above all, and there the front: pairs, heads of predict, widths, choices."""
    full = [i for i, s in enumerate(chunk.streams) if s]
    if not full:
        return
    i = R.choice(full)
    if R.random() < 0.6:
        i = min(R.sample(full, min(3, len(full))), key=lambda j: len(chunk.streams[j]))
    for _ in range(R.choice([1, 1, 1, 3])):
        chunk.streams[i] = change_byte(R, chunk.streams[i], R.choice([NONE, 8, 40]))


def hurt_lengths(R, chunk):
    s = chunk.streams
    a, b, d = R.randrange(len(s)), R.randrange(len(s)), R.choice([1, 2, 4, 8, 16, 100])
    how = R.randrange(4)
    if how == 0:  # the border moves, the bytes stay
        joined, lengths = b''.join(s), [len(x) for x in s]
        d = min(d, lengths[a])
        lengths[a], lengths[b] = lengths[a] - d, lengths[b] + d
        chunk.streams = []
        for n in lengths:
            chunk.streams.append(joined[:n])
            joined = joined[n:]
    elif how == 1:
        s[a] += R.choice([bytes(d), R.randbytes(d), s[a][-d:]])
    elif how == 2:
        s[a] = s[a][:-d]
    else:
        s[a], s[b] = s[b], s[a]


def hurt_plan(R, chunk):
    for _ in range(R.choice([1, 1, 2])):
        chunk.plan = change_byte(R, chunk.plan or b'\0')


def hurt_plan_shape(R, chunk):
    chunk.plan = R.choice([
        chunk.plan[:-R.randrange(1, 5)], chunk.plan + bytes(R.randrange(1, 9)), chunk.plan + R.randbytes(4),
        b''
    ])


def hurt_rows(R, chunk):
    """Another number of bytes for the same substreams."""
    D = max(len(chunk.data) + R.choice([-1, 1, -8, 8, R.randrange(-9, 10)]), 0)
    chunk.data = (chunk.data + bytes(9))[:D] or b'x'


def hurt_frame(R, chunk):
    pieces = list(chunk.frames(R))
    if not pieces:
        return
    i = R.randrange(len(pieces))
    packed, n = pieces[i]
    how = R.randrange(5)
    if how < 3:
        packed = change_byte(R, packed, R.choice([NONE, 12]))
    elif how == 3:
        packed = R.choice([packed[:-R.randrange(1, 5)], packed + R.randbytes(R.randrange(1, 5))])
    else:
        n = max(n + R.choice([-1, 1]), 0)
    pieces[i] = packed, n
    chunk.pieces = pieces


def hurt_fields(R, chunk):
    chunk.more = R.choice([
        dict(D=R.choice([0, 1, len(chunk.data) + 1, 65537])),
        dict(digest=R.getrandbits(64)),
        dict(kind=R.choice([0, 2])),
        dict(features=R.choice([1, 128])),
        dict(zero=1),
        dict(chain=R.getrandbits(64)),
        dict(number=R.randrange(4)),
        dict(place=R.randrange(999)),
        dict(offset=R.randrange(99)),
        dict(tag=R.randrange(99)),
        dict(growth=R.randbytes(R.choice([8, 40]))),
        dict(plan_pad=b'\1' * 8),
        dict(N=len(chunk.streams) + R.choice([-1, 1])),
        dict(E=R.choice([1, 99, 16385])),
        dict(pad=b'\7' * 8)
    ])


def hurt_entries(R, chunk):
    """The list of blocks, which no reader judges."""
    if chunk.entries:
        chunk.entries = change_byte(R, chunk.entries)
    else:
        chunk.entries = R.randbytes(12 * R.randrange(1, 4))


HURTS = [hurt_substream] * 6 + [hurt_lengths, hurt_plan] * 2 + [
    hurt_plan_shape, hurt_rows, hurt_frame, hurt_fields, hurt_entries
]


def settled(R, chunk):
    """With the digest of what the model makes of the substreams, if it makes something of them."""
    try:
        columns, row = strict.read_plan(chunk.plan)
        lengths = tuple(len(s) for s in chunk.streams)
        strict.judge_lengths(columns, row, len(chunk.data), lengths)
        chunk.data = strict.undo(columns, row, len(chunk.data), b''.join(chunk.streams), lengths)
        chunk.how.append('made valid')
    except strict.Bad:
        pass


def hurt(R, chunk):
    for _ in range(R.choice([1, 1, 1, 2])):
        how = R.choice(HURTS)
        if how is not hurt_frame and how is not hurt_fields and how is not hurt_entries:
            chunk.pieces = None
        how(R, chunk)
        chunk.how.append(how.__name__)
    if R.random() < 0.75:
        settled(R, chunk)


# Damage after the checks


def flip(R, data):
    out = bytearray(data)
    for _ in range(R.choice([1, 1, 3])):
        out[R.randrange(len(out))] ^= 1 << R.randrange(8)
    return bytes(out)


def cut(R, data):
    return data[:R.choice(
        [R.randrange(len(data)),
         len(data) -
         1, max(len(data) - 104, 0
                ), R.randrange(len(data))])]


def shift(R, data):
    """Bytes put in, left out, or written over."""
    at, n = R.randrange(len(data) + 1), R.choice([1, 1, 8, 100, 500])
    return R.choice([
        data[:at] + R.randbytes(n) + data[at:], data[:at] + data[at + n:],
        data[:at] + bytes(n) + data[at + n:], data[at:]
    ])


def swap_records(R, data):
    """A record, with the frames after it, dropped, doubled, or in the place of another."""
    places = [p for p, _, _ in recovery.records(data)] + [len(data)]
    parts = [data[a:b] for a, b in zip(places, places[1:])]
    if not parts:
        return data
    i, j, how = R.randrange(len(parts)), R.randrange(len(parts)), R.randrange(4)
    if how == 0:
        del parts[i]
    elif how == 1:
        parts.insert(j, parts[i])
    elif how == 2:
        parts[i], parts[j] = parts[j], parts[i]
    else:
        parts[i] = parts[j]
    return data[:places[0]] + b''.join(parts)


def wrong_fields(R, data):
    """Other values in a record, under right checks."""
    found = recovery.records(data)
    if not found:
        return data
    at, _, record = R.choice(found)
    changed = bytearray(record)
    for _ in range(R.choice([1, 1, 2])):
        last = len(record) - 8
        i = R.choice([R.randrange(12, 24), R.randrange(32, min(96, last)), R.randrange(32, last)])
        changed[i] = R.choice([changed[i] ^ 1 << R.randrange(8), 0, 1, 255, R.randrange(256)])
    return data[:at] + bad.reseal(changed) + data[at + len(record):]


DAMAGES = [flip, cut, shift, swap_records, swap_records]

# Lone blocks and files


def block(seed):
    R = random.Random('block %s' % seed)
    chunk = Chunk(R, R.choice([40, 300, 300, 1500]))
    if R.random() < 0.6:
        hurt(R, chunk)
    fields = chunk.fields(R)
    fields.update({name: R.getrandbits(20)
                   for name in ('tag', 'place', 'number', 'offset', 'chain')} if R.random() < 0.5 else {})
    data, how = bad.chk(chunk.data, **fields), chunk.how
    if R.random() < 0.25:
        hurting = R.choice([flip, cut, shift, wrong_fields, wrong_fields])
        data, how = hurting(R, data), how + [hurting.__name__]
    return Made(data, how)


def some_header(R, chunks, total):
    largest = max([n for c in chunks for _, n in c.frames(R)] + [4096])
    minor = max([c.minor for c in chunks] + [0])
    changes = dict(size=R.choice([total, NONE]),
                   C=R.choice([65536, 1 << 20, 1 << 30]),
                   largest=R.choice([largest, 65536]),
                   nominal=R.choice([b'', b'u8', b'i16x2', b'u64,f32x5,u32', b'\xff\x1b[2J']),
                   sentence=writer.SENTENCE,
                   minor=R.choice([minor, minor, 1, 0, 255]),
                   pad=R.choice([b'', b'', b'\xff' * 8]))
    changes['C'] = max([changes['C']] + [len(c.data) for c in chunks])
    changes['largest'] = min(max(changes['largest'], largest), changes['C'])
    how = ['header below a frame'] if largest > changes['largest'] else []
    if R.random() < 0.03:
        wrong = R.choice([
            dict(major=2),
            dict(features=0),
            dict(features=3),
            dict(tail=1),
            dict(C=65535),
            dict(largest=4095),
            dict(zero=1),
            dict(nominal_bytes=4000),
            dict(size=total + 1),
            dict(size=max(total - 1, 0)),
            dict(largest=(1 << 30) + 1),
            dict(sentence=b'x' * 4096)
        ])
        changes.update(wrong)
        how.append('header ' + ','.join(wrong))
    return bad.header(**changes), how


def some_end(R, how):
    """Changes of END."""
    kind = R.random()
    if kind < 0.4:
        return {}
    if kind < 0.9:
        return {'kind': 1}  # the digest of the whole, which stream() makes right
    wrong = R.choice([
        dict(size=168),
        dict(chunks=9),
        dict(original=1),
        dict(last=NONE),
        dict(chain=1),
        dict(zero=1),
        dict(kind=9, whole=b'x' * 16),
        dict(kind=1, whole=b'x' * 16),
        dict(tag=0)
    ])
    how.append('END ' + ','.join(wrong))
    return wrong


def some_index(R, how):
    if R.random() > 0.03:
        return None
    wrong = R.choice([
        dict(place=8),
        dict(first=1),
        dict(before=0),
        dict(flag=0),
        dict(flag=2),
        dict(kind=2),
        dict(zero=1),
        dict(tag=0), *[dict(entry=[(i, 9)]) for i in range(5)],
        dict(change=[(3, 9)]),
        dict(change=[(4, 9)])
    ])
    how.append('INDX ' + ','.join(wrong))
    at = R.randrange(3)
    return lambda number: dict(wrong) if number >= at else {}


def stream(R):
    """(bytes, how)"""
    chunks = [Chunk(R, R.choice([40, 300, 300, 1500])) for _ in range(R.choice([0, 1, 1, 2, 2, 3, 5]))]
    how = []
    if chunks and R.random() < 0.35:
        chunk = R.choice(chunks)
        hurt(R, chunk)
        how += chunk.how
    head, wrong = some_header(R, chunks, sum(len(c.data) for c in chunks))
    datas, ended, indexes = [c.data for c in chunks], some_end(R, how), some_index(R, how)
    if ended == {'kind': 1}:
        ended['whole'] = writer.xxhash.xxh3_128_digest(b''.join(datas))
    parts = sorted(set(R.sample(range(1,
                                      len(datas) + 1), R.randrange(len(datas) + 1)))
                   | {len(datas)}) if datas else None
    if datas and R.random() < 0.02:
        parts = R.choice([[], parts + parts, parts[:-1]])
        how.append('parts %s' % parts)
    notes = R.choice([(), (), range(20), R.sample(range(6), 2)])
    kind = R.choice([b'note', b'prty', b'z 9~'])
    fields = [c.fields(R) for c in chunks]
    made = bad.stream(datas,
                      head,
                      parts,
                      notes,
                      chunk=lambda number: fields[number],
                      plans=[c.plan for c in chunks],
                      indexes=indexes,
                      end_of=lambda: ended,
                      note_of=(kind, R.randbytes(R.choice([8, 40, 600]))))
    return made, how + wrong


def file(seed):
    R = random.Random('file %s' % seed)
    data, how, streams = b'', [], R.choice([1, 1, 1, 1, 2, 3])
    for _ in range(streams):
        made, done = stream(R)
        data, how = data + made + bytes(R.choice([0, 0, 0, 3, 120, 300])), how + done
    if R.random() < 0.45:
        for _ in range(R.choice([1, 1, 1, 2])):
            hurting = R.choice(DAMAGES + [wrong_fields] * 3)
            data = hurting(R, data) if data else data
            how.append(hurting.__name__)
    return Made(data, how, streams)
