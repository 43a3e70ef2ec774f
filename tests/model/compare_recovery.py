# SPDX-License-Identifier: Apache-2.0
"""Does `tdz recover` deliver what the model of recovery says, after random damage?

    python3 compare_recovery.py TDZ [FILES [SEED]]
"""
import functools, os, random, struct, subprocess, sys, tempfile
import bad, recovery, strict, strict_index
from strict import xxh64


@functools.lru_cache(10000)
def original_of(block):
    """Of a CHK and its frames, or None."""
    try:
        return strict.lone(block)
    except strict.Bad:
        return None


def chunk_at(file, place):
    """(behind CHK, behind its frames, the original or None)"""
    size, = struct.unpack_from('<I', file, place + 4)
    plan, substreams, frames = struct.unpack_from('<III', file, place + 68)
    at = place + 96 + -(-plan // 8) * 8 + -(-substreams // 2) * 8
    behind = place + size + 8
    if at + 8 * frames > behind:
        return behind, behind, None
    end = behind + sum(struct.unpack_from('<%dI' % (2 * frames), file, at)[0::2])
    return behind, end, original_of(file[place:end])


def digests_of(r):
    """[(number, digest)] of a CHK or INDX."""
    if r[12:16] == b'CHK ':
        return [(struct.unpack_from('<Q', r, 40)[0], struct.unpack_from('<Q', r, 56)[0])]
    if r[12:16] == b'INDX':
        try:
            _, first, _, listed, _ = strict_index.entries_of(r)
            return [(first, listed[0][2])]
        except strict.Bad:
            pass
    return []


class Stream:
    """What the model says of a stream, and its extent."""

    def __init__(self, file, records, found):
        self.tag, begins, self.chunks, self.header, self.end = found
        own = set(self.chunks.values())
        places = [(p, r) for p, r, tag, b in records if tag == self.tag and b in begins and
                  (r[12:16] != b'CHK ' or p in own)]
        self.first, self.last = places[0][0], max(p + len(r) for p, r in places)
        self.begin = next(b for p, _, _, b in records if p == self.first)
        self.behind = max([self.last] + [chunk_at(file, p)[1] for p in own])
        self.known = max([sum(struct.unpack_from('<QQI', file, p + 48)[::2]) for p in own] + [0])
        self.digests = [d for p, r in places for n, d in digests_of(r) if n == 0]
        self.index_is_over = any(r[12:16] == b'INDX' and r[68] == 1 for _, r in places)
        self.total = None
        for b in begins:
            if self.header and file[b + 12:b + 16] == b'HDR ' and b >= 0:
                self.begin, self.total = b, struct.unpack_from('<Q', file, b + 32)[0]
        self.total = None if self.total == 2 ** 64 - 1 else self.total
        self.most = max([struct.unpack_from('<I', file, p + 4)[0] + 8 for p in own] + [168])

    def is_over(self):
        return self.end or self.index_is_over or self.total == self.known

    def reach(self):
        """How far its lost chunks may lie."""
        lost = 2 ** 64 if self.total is None else max(self.total - self.known, 0)
        return self.behind + lost + lost // 128 + (lost // 65536 + 1) * self.most


def of_the_file(streams, file):
    """The streams of the file; the others may lie in frames of those. All are shorter than a block of zstd."""
    streams = sorted(streams, key=lambda s: s.first)
    for p, kind, r in recovery.records(file):  # headers that bytes put in have moved away from their streams
        after = [s for s in streams if s.first > p]
        if kind == b'HDR ' and after and not after[0].header and p not in (s.begin for s in streams):
            if any(xxh64(r + struct.pack('<Q', d)) == after[0].tag for d in after[0].digests):
                total, = struct.unpack_from('<Q', r, 32)
                after[0].begin, after[0].header, after[0].total = p, True, None if total == 2 ** 64 - 1 else total
    streams = [s for s in streams if not any(o is not s and o.first <= s.first and s.last <= o.behind for o in streams)]
    front, at_front = range(1), set()
    for s in streams:
        if s.begin in front:
            at_front.add(s)
            if s.end or s.index_is_over:
                behind = s.last + (0 if s.end else 104)
                zeros = len(file) - behind - len(file[behind:].lstrip(b'\0')) if s.end else 0
                front = range(behind, behind + zeros + 1)
    back, at_back = len(file), set()
    for s in reversed(streams):
        if not s.end or s.last > back or file[s.last:back].strip(b'\0'):
            break
        at_back.add(s)
        back = max(s.begin, 0)
    kept = []
    for s in streams:
        before = kept[-1] if kept else None
        if before and s.tag == before.tag and not s.chunks and not s.header and s.begin < before.behind:
            continue
        if before and not before.is_over() and before.tag != s.tag and not {s} & (at_front | at_back) and \
                (s.begin >= before.first or before in at_front or before.header) and s.last <= before.reach():
            continue
        while kept and s.begin <= kept[-1].first and kept[-1].last <= s.behind and s.tag != kept[-1].tag and \
                kept[-1] not in at_front and (s in at_front or s.chunks):
            kept.pop()
        kept.append(s)
    return kept


def delivered(file):
    records = []
    for p, kind, r in recovery.records(file):
        tag, offset = struct.unpack_from('<QQ', r, 16)[0], struct.unpack_from('<Q', r, 32)[0]
        if kind != b'HDR ':
            records.append((p, r, tag, p + 104 - offset if kind == b'END ' else p - offset))
    out = []
    for s in of_the_file([Stream(file, records, s) for s in recovery.streams(file)], file):
        originals = [chunk_at(file, s.chunks[n])[2] for n in sorted(s.chunks)]
        out += [original for original in originals if original is not None]
    return b''.join(out)


def recorded(R):
    """Streams of a few chunks; some begin with the same chunk, so that they have one id."""
    first = R.randbytes(200)
    datas = []
    for _ in range(R.randint(1, 3)):
        datas.append([first if R.random() < .5 else R.randbytes(200)] +
                     [R.randbytes(R.randint(1, 900)) for _ in range(R.randint(0, 9))])
    made = [bad.stream(d, bad.header(sum(map(len, d)) if R.random() < .7 else bad.NONE), parts=sorted({R.randint(1, len(d)), len(d)})) for d in datas]
    return b''.join(R.choice(made) for _ in range(R.randint(1, 4)))


def damaged(file, R):
    for _ in range(R.randint(0, 4)):
        at, n = R.randrange(len(file) + 1), R.choice((1, 8, 100, 500, 2000))
        kind = R.randrange(4)
        rest = file[at:] if kind == 0 else file[at + n:]
        put = R.randbytes(n) if kind < 2 else bytes(min(n, len(file) - at)) if kind == 2 else b''
        file = file[:at] + put + rest
    if R.random() < .2:
        file = file[:R.randrange(len(file) + 1)]
    return file


def main():
    tdz, files, seed = sys.argv[1], int((sys.argv + ['', '2000'])[2] or 2000), int((sys.argv + [''] * 3)[3] or 1)
    with tempfile.TemporaryDirectory() as folder:
        name, out = os.path.join(folder, 'a.tdz'), os.path.join(folder, 'out')
        for number in range(files):
            R = random.Random(seed * 1000003 + number)
            file = damaged(recorded(R), R)
            open(name, 'wb').write(file)
            subprocess.run([tdz, 'recover', '-qf', '--fill', 'skip', name, '-o', out], stderr=subprocess.DEVNULL)
            found = open(out, 'rb').read() if os.path.exists(out) else b''
            if os.path.exists(out):
                os.remove(out)
            expected = delivered(file)
            if found != expected:
                open('differs.tdz', 'wb').write(file)
                sys.exit(f'seed {seed}, file {number}: {len(found)} bytes, the model has {len(expected)}; see differs.tdz')
    print(f'{files} damaged files: the same bytes')


if __name__ == '__main__':
    main()
