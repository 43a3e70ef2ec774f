# SPDX-License-Identifier: Apache-2.0
"""A model of "After damage" in formats/FORMAT.md, section 5: groups, judges, joins. It restores no bytes.

streams(file) -> [(tag, [begins], {number: place of CHK}, has HDR, has END)], one for each stream that is found.
"""
import struct
from strict import LIMITS, NOTE, Bad, is_note, xxh64
from strict_index import entries_of
from writer import link

EMPTY = xxh64(b'')  # the chain of chunk 0


def records(file):
    p, found = file.find(b'\x5a\x2a\x4d\x18'), []
    while p >= 0:
        head = file[p:p + 32]
        if len(head) == 32 and head[8:12] == b'tdz\x1a' and xxh64(head[:24]) == struct.unpack_from('<Q', head, 24)[0]:
            T, kind = struct.unpack_from('<I', head, 4)[0] + 8, head[12:16]
            least, most = LIMITS.get(kind, NOTE)
            r = file[p:p + T]
            if (kind in LIMITS or is_note(kind)) and least <= T <= most and len(r) == T and T % 8 == 0 and \
                    xxh64(r[:-8]) == struct.unpack_from('<Q', r, T - 8)[0]:
                found.append((p, kind, r))
        p = file.find(b'\x5a\x2a\x4d\x18', p + 1)
    return found


def walk(number, chain, target, digest):
    """The chain of chunk `target`, from the chain of chunk `number`; None if a digest between them is not known."""
    for i in range(number, target):
        if digest(i) is None:
            return None
        chain = link(chain, digest(i))
    return chain


class Group:
    def __init__(self, tag, begin):
        self.tag, self.begins, self.chunks, self.listed, self.end, self.header = tag, [begin], {}, {}, None, None

    def digest(self, number):
        """From CHK or from INDX."""
        if number in self.chunks:
            return self.chunks[number][1]
        return self.listed.get(number, (None,))[0]

    def chain(self, number):
        """The chain of this chunk as earlier chunks give it, or None if none of them leads to it."""
        start = max((n for n in self.chunks if n < number), default=0)
        return walk(start, self.chunks[start][3] if start in self.chunks else EMPTY, number, self.digest)

    def chains(self):
        """{number: chain} of every CHK and of END."""
        found = {n: c[3] for n, c in self.chunks.items()}
        if self.end:
            found[self.end[0]] = self.end[1]
        return found


def groups(file):
    out, headers = [], []
    for p, kind, r in records(file):
        tag, offset = struct.unpack_from('<Q', r, 16)[0], struct.unpack_from('<Q', r, 32)[0]
        if kind == b'HDR ':
            headers.append((p, r))
            continue
        if tag == 0:
            continue
        begin = p + 104 - offset if kind == b'END ' else p - offset
        group = next((g for g in reversed(out) if (g.tag, g.begins[0]) == (tag, begin)), None)
        if group is None or group.end:
            group = Group(tag, begin)
            out.append(group)
        if kind == b'CHK ':
            number, original, digest = struct.unpack_from('<QQQ', r, 40)
            chain, = struct.unpack_from('<Q', r, 88)
            if number in group.chunks or group.chain(number) not in (None, chain):
                group = Group(tag, begin)
                out.append(group)
            group.chunks[number] = (p, digest, original, chain)
        elif kind == b'INDX':
            first, = struct.unpack_from('<Q', r, 40)
            if group.listed and first <= max(group.listed):
                continue
            try:
                entries = entries_of(r)[3]
            except Bad:
                continue
            for i, (_, original, digest, *_) in enumerate(entries):
                group.listed[first + i] = digest, original
            for n in [n for n, c in group.chunks.items() if n in group.listed and group.listed[n] != (c[1], c[2])]:
                other = Group(tag, begin)
                other.chunks[n] = group.chunks.pop(n)
                out.append(other)
        elif kind == b'END ':
            group.end = struct.unpack_from('<Q', r, 40)[0], struct.unpack_from('<Q', r, 64)[0]
    for p, r in headers:
        for g in out:
            if g.begins[0] == p and (g.digest(0) is not None or g.end and g.end[0] == 0):
                if xxh64(r + b''.join(struct.pack('<Q', d) for d in [g.digest(0)] if d is not None)) == g.tag:
                    g.header = p
    return out


def together(a, b):
    """Both groups as one, of which nothing is said yet."""
    both = Group(a.tag, a.begins[0])
    both.begins, both.end, both.header = a.begins + b.begins, a.end or b.end, b.header if a.header is None else a.header
    both.chunks, both.listed = {**a.chunks, **b.chunks}, {**a.listed, **b.listed}
    return both


def contradicts(group):
    """Does a chunk stand behind END, or does a CHK or END have another chain than the chunks before it give?"""
    return bool(group.end and max([*group.chunks, *group.listed], default=-1) >= group.end[0]) or any(
        group.chain(n) not in (None, chain) for n, chain in group.chains().items())


def differ(a, b):
    """Does an INDX of one group say something else of a chunk than a CHK or an INDX of the other?"""
    x, y = ({**g.listed, **{n: c[1:3] for n, c in g.chunks.items()}} for g in (a, b))
    return any(tuple(x[n]) != tuple(y[n]) for n in x.keys() & y.keys())


def proven(a, b):
    """Does a join b, or b join a?"""
    if a.tag != b.tag or a.header is not None and a.end or b.header is not None and b.end or a.end and b.end or \
            set(a.chunks) & set(b.chunks) or differ(a, b):
        return False
    both = together(a, b)
    return not contradicts(both) and any(listed(x, y) or linked(x, y, both) for x, y in ((a, b), (b, a)))


def listed(x, y):
    """Does an INDX of y list all chunks of x?"""
    return bool(x.chunks) and all(y.listed.get(n) == (c[1], c[2]) for n, c in x.chunks.items())


def linked(x, y, both):
    """Is every CHK and END of x linked to the next one of y behind it or, if there is none, to the last one before it?"""
    mine, others = x.chains(), y.chains()
    for n in mine:
        behind = [m for m in others if m > n]
        first, last = (n, min(behind)) if behind else (max(others, default=n), n)
        if first >= last or walk(first, both.chains()[first], last, both.digest) != both.chains()[last]:
            return False
    return bool(mine)


def streams(file):
    found = groups(file)
    while True:
        pair = next(((a, b) for i, a in enumerate(found) for b in found[i + 1:] if proven(a, b)), None)
        if not pair:
            return [(g.tag, g.begins, {n: g.chunks[n][0] for n in sorted(g.chunks)}, g.header is not None, bool(g.end))
                    for g in found]
        a, b = pair
        found.remove(b)
        found[found.index(a)] = together(a, b)


def main():
    import random
    import bad
    R = random.Random(1)

    def recording(seed, first=bytes(200), k=10):
        S = random.Random(seed)
        return bad.stream([first] + [S.randbytes(200) for _ in range(k - 1)])

    def places(file):
        return [p for p, kind, _ in records(file) if kind == b'CHK ']

    def shown(file):
        return sorted((sorted(c), h, e) for _, _, c, h, e in streams(file))
    A, B = recording(1), recording(2)
    all_, tail = list(range(10)), len(A) - places(A)[9]
    assert shown(A + B) == [(all_, True, True)] * 2
    a, b = places(A), places(B)
    whole = A + bytes(1722) + B
    at = len(A) + 1722
    # two recordings of one id, a hole from the first to the second: zeroed, or cut out
    for file in (whole[:a[4] + 300] + bytes(at + b[5] - a[4] - 300) + whole[at + b[5]:],
                 whole[:a[4] + 300] + whole[at + b[5]:]):
        assert shown(file) == [([0, 1, 2, 3, 4], True, False), ([5, 6, 7, 8, 9], False, True)]
    # bytes put in or left out: one stream again
    for cut in (A[:a[5] + 200] + b'x' + A[a[5] + 200:], A[:a[5] + 200] + A[a[5] + 201:], A[:a[5] + 200] + A[a[6]:],
                A[:a[5]] + b'xyz' + A[a[5]:]):
        assert shown(cut) == [(all_, True, True)], shown(cut)
    # a lost CHK and its border: INDX proves it; without INDX and END both parts stay apart
    lost = A[:a[5]] + A[a[6]:]
    assert shown(lost) == [([0, 1, 2, 3, 4, 6, 7, 8, 9], True, True)]
    assert shown(lost[:places(lost)[8] + 200]) == [([0, 1, 2, 3, 4], True, False), ([6, 7, 8, 9], False, False)]
    # the head is gone: a negative begin
    assert shown(A[a[3]:]) == [(all_[3:], False, True)] and streams(A[a[3]:])[0][1] == [-a[3]]
    # three copies; copies with damages in other places are never mixed into one another
    assert shown(A + A + A) == [(all_, True, True)] * 3
    # written over in place: the new head, the old tail
    over = B[:b[4]] + A[a[4]:]
    assert shown(over) == [([0, 1, 2, 3], True, False), ([4, 5, 6, 7, 8, 9], True,
                                                         True)], shown(over)  # one HDR for both
    short = recording(2, k=5)
    assert shown(short + A[len(short):])[0] == ([0, 1, 2, 3, 4], True, True)
    # two shifts that cancel: chunks 4 to 6 lie between
    i, j = a[4] - 1, a[7] - 1
    cancel = A[:i] + A[i + 1:j] + b'x' + A[j:]
    assert shown(cancel) == [([0, 1, 2, 3, 7, 8, 9], True, True),
                             ([4, 5, 6], False, False)]  # HDR and END: never joined
    assert shown(cancel[:-104]) == [(all_, True, False)]
    # the end alone, shifted
    assert shown(A[:a[9] + 300] + b'x' + A[a[9] + 300:]) == [(all_, True, True)]
    assert shown(A[:a[9] + 300] + b'x' + B[b[9] + 300:]) == [([], False, True), (all_, True, False)]
    # neighbours prove each other: a lost CHK blinds no later chain, not even without INDX.
    # Chunk 2 is lost, a byte is put in at chunk 6.
    index = next(p for p, kind, _ in records(A) if kind == b'INDX')
    zeroed = A[:a[2]] + bytes(8) + A[a[2] + 8:a[6] + 300] + b'x' + A[a[6] + 300:index]
    rest = [0, 1, 3, 4, 5, 6, 7, 8, 9]
    assert shown(zeroed + bytes(len(A) - 104 - index) + A[-104:]) == [(rest, True, True)]
    assert shown(zeroed + A[-104:]) == [(rest, True, True)]  # END in a third place
    assert shown(zeroed) == [(rest, True, False)]
    assert shown(zeroed + B[-104:]) == [([], False, True), (rest, True, False)]
    apart = A[:a[2]] + bytes(8) + A[a[2] + 8:a[6]] + bytes(8) + A[a[6] + 8:a[7] - 9] + A[a[7]:index]  # chunk 6 lost too
    assert shown(apart) == [([0, 1, 3, 4, 5], True, False), ([7, 8, 9], False, False)]
    # A and B begin with the same chunk: chunk 1 of B is linked to chunk 0 of A, but to no later one
    for k in (2, 6):
        mixed = A[:a[1]] + bytes(a[k] - a[1]) + A[a[k]:a[k + 2]] + b'x' + B[b[1]:b[2]]
        assert shown(mixed) == [([0, k, k + 1], True, False), ([1], False, False)]
    assert shown(A[:a[1]] + b'x' + B[b[1]:]) == [(all_, True, True)]
    # lone blocks form no group
    assert streams(bad.chk()) == []
    print('recovery: all cases')


if __name__ == '__main__':
    main()
