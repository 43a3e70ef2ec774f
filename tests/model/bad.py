# SPDX-License-Identifier: Apache-2.0
"""Crafted files, one for each rule of formats/FORMAT.md, section 5.

cases() yields (name, bytes, verdict, is a lone block). A verdict is 'truncated', 'unsupported', 'corrupt' or the original
bytes.
"""
import struct
import xxhash
import writer
from writer import NONE, chain_of, pad8, xxh64

PLAIN = bytes([1, 0, 0, 0, 1, 0, 1, 0])  # one column, w = 1, no steps
HELLO = b'hello'


def reseal(data):
    """A record with right checks and a right length."""
    data = bytearray(data)
    struct.pack_into('<I', data, 4, len(data) - 8)
    struct.pack_into('<Q', data, 24, xxh64(bytes(data[:24])))
    struct.pack_into('<Q', data, len(data) - 8, xxh64(bytes(data[:-8])))
    return bytes(data)


def record(kind, tag, body, pad=b''):
    body += (pad + bytes(8))[:-len(body) % 8]
    return reseal(struct.pack('<II4s4sQQ', 0x184D2A5A, 0, b'tdz\x1a', kind, tag, 0) + body + bytes(8))


def header(size=NONE, C=65536, largest=65536, nominal=b'u8', sentence=b'x', major=1, minor=0, features=1, tail=0,
           zero=0, pad=b'', nominal_bytes=None):
    tag, = struct.unpack('<Q', struct.pack('<BBHHH', major, minor, features, 0, tail))
    length = len(nominal) if nominal_bytes is None else nominal_bytes
    return record(b'HDR ', tag, struct.pack('<QIIHHI', size, C, largest, length, len(sentence),
                                            zero) + nominal + sentence,
                  pad)


def block(kind, size, content=b'', last=1):
    return (last | kind << 1 | size << 3).to_bytes(3, 'little') + content


def frame(data, descriptor=0xA0, window=None, extra=b'', blocks=None, size=None):
    """A frame of one raw block, with the content size in 4 bytes."""
    out = struct.pack('<IB', 0xFD2FB528, descriptor) + (b'' if window is None else bytes([window])) + extra
    out += struct.pack('<I', len(data) if size is None else size)
    return out + (block(0, len(data), data) if blocks is None else blocks)


def chk(data=HELLO, plan=PLAIN, lengths=None, frames=None, unpacked=None, tag=0, place=0, number=0, offset=0, chain=0,
        D=None, entries=b'', E=None, kind=1, features=0, zero=0, N=None, F=None, plan_bytes=None, growth=b'', pad=b'',
        digest=None, plan_pad=b'', packed=None):
    lengths = [len(data)] if lengths is None else lengths
    frames = [frame(data)] if frames is None else frames
    unpacked = [len(data)] if unpacked is None else unpacked
    packed = [len(f) for f in frames] if packed is None else packed

    def given(value, else_):
        return else_ if value is None else value
    body = struct.pack('<4Q5IBBHQ', place, number, offset, given(digest, xxh64(data)), given(D, len(data)),
                       given(plan_bytes, len(plan)), given(N, len(lengths)), given(F, len(frames)),
                       given(E, len(entries) // 12), kind, features, zero, chain)
    body += plan + (plan_pad + bytes(8))[:-len(plan) % 8] + pad8(struct.pack('<%dI' % len(lengths), *lengths))
    body += b''.join(struct.pack('<II', p, u) for p, u in zip(packed, unpacked)) + entries + growth
    return record(b'CHK ', tag, body, pad) + b''.join(frames)


def index(tag, place, first, before, chunks, flag=1, plans=None, kind=1, zero=0, change=()):
    """chunks: [(place, offset, digest, D, stored, plan)]"""
    plans = list(dict.fromkeys(c[5] for c in chunks)) if plans is None else plans
    table = b''.join(plans)
    f = [place, first, before, len(chunks), len(plans), len(table), flag, kind, zero]
    for i, v in change:
        f[i] = v
    body = struct.pack('<QQQIIIBBH', *f) + pad8(table)
    for c in chunks:
        body += struct.pack('<QQQIIHHI', *c[:5], plans.index(c[5]), 0, 0)
    return record(b'INDX', tag, body)


def end(tag, size, digests, original, last, kind=0, whole=bytes(16), zero=0, chunks=None, chain=None):
    return record(b'END ', tag, struct.pack('<5Q', size, len(digests) if chunks is None else chunks, original, last,
                                            chain_of(digests) if chain is None else chain)
                  + whole + struct.pack('<BBHI', kind, zero, 0, 0))


def note(tag, place, text=b'anything', kind=b'note'):
    return record(kind, tag, struct.pack('<Q', place) + text)


def stream(datas=(HELLO,), head=None, parts=None, notes=(), note_tag=None, note_shift=0, chunk=None, indexes=None,
           end_of=None, plans=None, last_flag=1, note_of=(b'note', b'anything')):
    """parts: after these many chunks stands an INDX. chunk(number), indexes(number), end_of(): changes, a dict each.
    notes: before these records (numbers in order of all behind HDR) stands a note."""
    head = header() if head is None else head
    parts = [len(datas)] if parts is None and datas else parts or []
    digests = [xxh64(d) for d in datas]
    tag = xxh64(head + b''.join(struct.pack('<Q', d) for d in digests[:1]))
    out, listed, last, listing, offset, at = head, 0, NONE, [], 0, 0

    def noted():
        nonlocal out, at
        if at in notes:
            out += note(tag if note_tag is None else note_tag, len(out) + note_shift, note_of[1], note_of[0])
        at += 1
    for number, data in enumerate(datas):
        noted()
        f = dict(tag=tag, place=len(out), number=number, offset=offset, chain=chain_of(digests[:number]),
                 plan=plans[number] if plans else PLAIN)
        f.update(chunk(number) if chunk else {})
        made = chk(data, **f)
        listing.append((len(out), offset, digests[number], len(data), len(made), f['plan']))
        out, offset = out + made, offset + len(data)
        for _ in range(parts.count(number + 1)):
            noted()
            f = dict(tag=tag, place=len(out), first=listed, before=last, chunks=listing,
                     flag=last_flag if number + 1 == len(datas) else 0)
            f.update(indexes(number) if indexes else {})
            last, listed, listing = len(out), number + 1, []
            for field, value in f.pop('entry', ()):
                f['chunks'] = [c[:field] + (value,) + c[field + 1:] for c in f['chunks']]
            out += index(**f)
    noted()
    f = dict(tag=tag, size=len(out) + 104, digests=digests, original=offset, last=last)
    f.update(end_of() if end_of else {})
    return out + end(**f)


def plan_of(columns, coding=0, zero=0, number=None):
    """columns: [(w, count, [(id, parameters)])]"""
    out = struct.pack('<BBH', len(columns) if number is None else number, coding, zero)
    out += b''.join(struct.pack('<BBH', w, len(steps), count) for w, count, steps in columns)
    return out + b''.join(struct.pack('<HH', i, len(p)) + p for _, _, steps in columns for i, p in steps)


def step(name, *p):
    return writer.IDS[name], writer.parameters((name, *p))


def side(steps, substreams, data=None, w=1, n=8, **k):
    """A lone block of zero words with these substreams in one raw frame."""
    data = bytes(n * w) if data is None else data
    joined = b''.join(substreams)
    return chk(data, plan_of([(w, 1, steps)]), lengths=[len(s) for s in substreams], frames=[frame(joined)],
               unpacked=[len(joined)], **k)


def cases():
    T, U, C = 'truncated', 'unsupported', 'corrupt'
    ok = stream()

    def file(name, data, verdict):
        return name, data, verdict, False

    def lone(name, data, verdict):
        return name, data, verdict, True
    # Files
    yield file('a file', ok, HELLO)
    yield file('no chunk', stream(()), b'')
    yield file('two streams, zeros', ok + bytes(5) + ok + bytes(9), HELLO * 2)
    yield file('no bytes', b'', T)
    yield file('zeros only', bytes(9), C)
    yield file('behind a stream: 5A', ok + b'\x5a', T)
    yield file('behind a stream: 5B', ok + b'\x5b', C)
    yield file('behind a stream: an unknown kind', ok + record(b'WAT ', 0, bytes(8)), U)
    yield file('behind a stream: CHK', ok + chk(), C)
    yield file('behind a stream: a note', ok + note(0, 0), C)
    yield file('behind a stream: HDR of version 2', ok + header(major=2), U)
    yield file('in a stream: HDR of version 2', header() + header(major=2), U)
    yield file('in a stream: HDR', header() + header(), C)
    yield file('zeros in a stream', header() + bytes(8) + ok, C)
    yield file('begins with CHK', chk(), C)
    yield file('magic', b'\x5b' + ok[1:], C)
    yield file('tdz 1A', ok[:11] + b'\x1b' + ok[12:], C)
    yield file('prefix check', ok[:24] + b'\0\0' + ok[26:], C)
    yield file('check', ok[:60] + b'\xff' + ok[61:], C)
    yield file('without END', ok[:-104], T)
    yield file('END cut', ok[:-1], T)
    # HDR
    for name, k, verdict in [('features 0, a draft', dict(features=0), U), ('features 3', dict(features=3), U),
                             ('minor version 1', dict(minor=1), HELLO), ('minor version 255', dict(minor=255), HELLO),
                             ('bytes 22', dict(tail=1), U), ('C of 64 KiB - 1', dict(C=65535), U),
                             ('C above 1 GiB', dict(C=(1 << 30) + 1), U),
                             ('largest frame of 4095', dict(largest=4095), U),
                             ('largest frame above C', dict(largest=65537), U), ('zero at 52', dict(zero=1), U),
                             ('type beyond T', dict(nominal_bytes=60), C),
                             ('type is not ASCII', dict(nominal=b'\xff\x1b'), HELLO),
                             ('pad', dict(pad=b'\xff' * 5), HELLO), ('original size', dict(size=5), HELLO),
                             ('original size too large', dict(size=6), C),
                             ('original size too small', dict(size=4), C)]:
        yield file('HDR: ' + name, stream(head=header(**k)), verdict)
    yield file('HDR: T of 56', reseal(header()[:56]), C)
    yield file('HDR: T above 4096', stream(head=header(sentence=b'x' * 4096)), C)
    # CHK
    for name, k, verdict in [('tag', dict(tag=7), C), ('place', dict(place=8), C), ('number', dict(number=1), C),
                             ('offset', dict(offset=1), C), ('chain', dict(chain=1), C), ('D is 0', dict(D=0), C),
                             ('D above C', dict(D=65537), C), ('digest kind', dict(kind=2), U),
                             ('features', dict(features=1), U),
                             ('zero at 86', dict(zero=256), U), ('N 0', dict(N=0), C), ('N 2', dict(N=2), C),
                             ('N above 1024', dict(N=1025, kind=2), C),
                             ('F beyond T, digest kind 2', dict(F=10, kind=2), U),
                             ('F beyond T', dict(F=10), C), ('E above its limit', dict(E=16385), C),
                             ('E beyond T', dict(E=16384), C), ('E in coding 0', dict(entries=bytes(24)), HELLO),
                             ('plan of 65537 bytes', dict(plan_bytes=65537), C),
                             ('growth', dict(growth=b'grown' * 8), HELLO),
                             ('last pad', dict(entries=bytes(12), pad=b'\xff' * 4), HELLO),
                             ('a frame less', dict(F=0), C)]:
        yield file('CHK: ' + name, stream(chunk=lambda n, k=k: k), verdict)
    yield file('CHK: T of 96', header() + reseal(chk()[:96]), C)
    yield file('CHK: T of 40, cut', header() + record(b'CHK ', 0, b'')[:36], C)
    yield file('second chunk: chain', stream((b'a', b'b'), chunk=lambda n: dict(chain=chain_of([])) if n else {}), C)
    digests = b''.join(struct.pack('<Q', xxh64(d)) for d in (b'a', b'b'))
    for what, chain in (('of all digests', xxh64(digests)), ('of the last digest', xxh64(digests[8:])),
                        ('of the chunk before', chain_of([xxh64(b'a')])), ('its own', chain_of([xxh64(d) for d in (b'a', b'b')]))):
        yield file('third chunk: chain ' + what, stream((b'a', b'b', b'c'), chunk=lambda n: dict(chain=chain) if n == 2 else {}),
                   b'abc' if what == 'its own' else C)
    yield file('three chunks', stream((b'a', b'bc', b'd')), b'abcd')
    yield file('a chunk twice', stream((b'a', b'b'), chunk=lambda n: dict(number=0) if n else {}), C)
    # Lone blocks
    yield lone('a lone block', chk(), HELLO)
    yield lone('tag, number, offsets and chain are ignored', chk(tag=1, place=2, number=3, offset=4, chain=5), HELLO)
    yield lone('no bytes', b'', T)
    yield lone('a byte behind', chk() + b'\0', C)
    yield lone('a frame cut', chk()[:-1], T)
    yield lone('features', chk(features=128), U)
    yield lone('digest', chk(digest=1), C)
    yield lone('HDR', header(), C)
    yield lone('a note', note(0, 0), C)
    # Notes
    for before in (0, 1, 2):
        yield file('a note before record %d' % before, stream(notes=(before,)), HELLO)
        yield file('its tag', stream(notes=(before,), note_tag=1), C)
        yield file('its place', stream(notes=(before,), note_shift=8), C)
    yield file('notes everywhere', stream((b'a', b'b', b'c'), parts=[1, 3], notes=range(6)), b'abc')
    yield file('a note without chunks', stream((), notes=(0,)), b'')
    yield file('its tag, without chunks', stream((), notes=(0,), note_tag=1), C)
    yield file('a note of 65544 bytes', header() + note(0, 0, bytes(65536 - 40)), C)
    yield file('a note of 40 bytes', header() + record(b'a   ', 0, b''), C)
    yield file('a note with another first letter', header() + note(0, 0, kind=b'{ote'), U)
    # INDX
    for name, k, verdict in [('place', dict(place=8), C), ('first', dict(first=1), C), ('before', dict(before=0), C),
                             ('flag 0 at the end', dict(flag=0), C), ('flag 2', dict(flag=2), U),
                             ('digest kind', dict(kind=2), U),
                             ('zero', dict(zero=1), U), ('tag', dict(tag=0), C),
                             ('an unused plan', dict(plans=[PLAIN, PLAIN + b'']), C),
                             ('another plan', dict(plans=[PLAIN, b'\1\0\0\0\1\1\1\0\1\0\0\0']), C),
                             *[('entry %d' % i, dict(entry=[(i, 9)]), C) for i in range(5)],
                             ('entries', dict(change=[(3, 2)]), C), ('plans', dict(change=[(4, 2)]), C),
                             ('bytes of plans', dict(change=[(5, 16)]), C)]:
        yield file('INDX: ' + name, stream(indexes=lambda n, k=k: k), verdict)
    yield file('INDX: twice', stream((b'a',), parts=[1, 1]), C)
    yield file('INDX: late', stream((b'a', b'b', b'c'), parts=[2, 3],
                                    indexes=lambda n: dict(change=[(3, 1)]) if n == 1 else {}), C)
    yield file('INDX: in parts', stream((b'a', b'b', b'c'), parts=[1, 2, 3]), b'abc')
    yield file('INDX: the flag too early', stream((b'a', b'b'), parts=[1, 2], indexes=lambda n: dict(flag=1)), C)
    yield file('INDX: tag before flag', stream((b'a', b'b'), parts=[1, 2],
                                               indexes=lambda n: {} if n else dict(tag=0, flag=2)), C)
    yield file('INDX: place before flag', stream((b'a', b'b'), parts=[1, 2],
                                                 indexes=lambda n: {} if n else dict(place=8, flag=2)), C)
    yield file('INDX: place before flag, the last part', stream(indexes=lambda n: dict(place=8, flag=2)), C)
    yield file('INDX: none', stream((b'a',), parts=[0]), C)
    yield file('INDX and END: one byte less', stream((b'ab',), indexes=lambda n: dict(entry=[(3, 1)]),
                                                       end_of=lambda: dict(original=1)), C)
    longer = plan_of([(1, 1, [])] * 2)
    for wrong in ([PLAIN, longer], [longer, PLAIN]):
        datas = (b'aa', b'bb')
        yield file('INDX: order of plans', stream(datas, plans=[longer, PLAIN],
                   chunk=lambda n: {} if n else dict(lengths=[1, 1]), indexes=lambda n, w=wrong: dict(plans=w)),
                   b'aabb' if wrong[0] == longer else C)
    # END
    for name, k, verdict in [('stream bytes', dict(size=168), C), ('chunks', dict(chunks=2), C),
                             ('original', dict(original=4), C),
                             ('last INDX', dict(last=NONE), C), ('chain', dict(chain=0), C), ('zero', dict(zero=1), U),
                             ('tag', dict(tag=0), C), ('an unknown digest', dict(kind=9, whole=b'x' * 16), HELLO),
                             ('a wrong digest of the whole', dict(kind=1, whole=b'x' * 16), HELLO)]:
        yield file('END: ' + name, stream(end_of=lambda k=k: k), verdict)
    yield file('END: 112 bytes', stream()[:-104] + reseal(stream()[-104:] + bytes(8)), C)
    yield from plans(lone)
    yield from substreams(lone)
    yield from packed(lone, file)
    yield from grid(lone, file)
    yield from frames(lone)


def plans(lone):
    T, U, C = 'truncated', 'unsupported', 'corrupt'
    d = step('difference', 1, 1, 0)
    for name, plan, verdict in [
            ('65 columns, 4 bytes', b'\x41\0\0\0', C), ('no column', bytes(4), U),
            ('65 columns', plan_of([(1, 1, [])] * 65), U),
            ('3 bytes', bytes(3), C), ('coding 2', plan_of([(1, 1, [])], coding=2), U),
            ('zero at 2', plan_of([(1, 1, [])], zero=1), U),
            ('width 0', plan_of([(0, 1, [])]), U), ('width 9', plan_of([(9, 1, [])]), U),
            ('count 0', plan_of([(1, 0, [])]), U),
            ('9 steps', plan_of([(1, 1, [step('zigzag')] * 9)]), U),
            ('row of 65537', plan_of([(1, 65535, []), (2, 1, [])]), U),
            ('row too long, then the plan ends', b'\2\0\0\0\x08\0\xff\xff', C), ('a byte behind', PLAIN + b'\0', C),
            ('unknown step', plan_of([(1, 1, [(12, b'abc')])]), U), ('step 0', plan_of([(1, 1, [(0, b'')])]), U),
            ('unknown step, then the plan ends', b'\1\0\0\0\1\2\1\0\x0c\0\0\0', C),
            ('unknown step whose parameters pass the end', b'\1\0\0\0\1\1\1\0\x0c\0\x09\0', C),
            ('unknown step, then a wrong length', plan_of([(1, 1, [(12, b''), (2, bytes(7))])]), U),
            ('a wrong length, then an unknown step', plan_of([(1, 1, [(2, bytes(7)), (12, b'')])]), C),
            ('width 9, then a wrong length', plan_of([(9, 1, [(2, bytes(7))])]), U),
            ('a wrong length, then a row too long', plan_of([(8, 65535, [(3, b'x')])]), C),
            ('planes, then a wrong length', plan_of([(1, 1, [step('planes'), (2, bytes(7))])]), C),
            ('planes, then difference', plan_of([(1, 1, [step('planes'), d])]), U),
            ('two layouts', plan_of([(1, 1, [step('planes'), step('bit-planes')])]), U),
            ('two scales', plan_of([(1, 1, [step('scale', 1, 0)] * 2)]), U),
            ('two predicts', plan_of([(1, 1, [step('predict', 1, 0)] * 2)]), U),
            ('two lanes', plan_of([(1, 1, [step('lanes', 1, 0, [(1, 0, None, 0, 0)])] * 2)]), U),
            ('orders of 17', plan_of([(1, 1, [step('difference', 1, 8, 0)] * 2 + [d])]), U),
            ('order 0', plan_of([(1, 1, [step('difference', 1, 0, 0)])]), U),
            ('order 9', plan_of([(1, 1, [step('difference', 1, 9, 0)])]), U),
            ('tuple 0', plan_of([(1, 1, [step('difference', 0, 1, 0)])]), U),
            ('r 9', plan_of([(1, 1, [step('difference', 1, 1, 9)])]), U),
            ('r 17', plan_of([(1, 1, [step('difference', 1, 1, 17)])]), U),
            ('tuple-planes 0', plan_of([(1, 1, [step('tuple-planes', 0)])]), U),
            ('scale of f16', plan_of([(2, 1, [step('scale', 1, 1)])]), U),
            ('scale of kind 2', plan_of([(4, 1, [step('scale', 1, 2)])]), U),
            ('scale of 257', plan_of([(4, 1, [step('scale', 257, 0)])]), U),
            ('predict, signed 2', plan_of([(4, 1, [step('predict', 1, 2)])]), U),
            ('lanes of 3 bytes', plan_of([(1, 1, [(8, bytes(3))])]), C),
            ('lanes of 1 with 4 bytes', plan_of([(1, 1, [(8, b'\1\0\0\0')])]), C),
            ('lanes of none', plan_of([(1, 1, [(8, bytes(4))])]), U),
            ('a lane, order 9', plan_of([(1, 1, [step('lanes', 1, 0, [(9, 0, None, 0, 0)])])]), U),
            ('a lane, its own source', plan_of([(1, 1, [step('lanes', 1, 0, [(1, 0, 0, 1, 0)])])]), U),
            ('a cycle', plan_of([(1, 1, [step('lanes', 2, 0, [(1, 0, 1, 1, 0), (1, 0, 0, 1, 0)])])]), U),
            ('a source behind all lanes', plan_of([(1, 1, [step('lanes', 2, 0,
                                                                [(1, 0, 2, 1, 0), (1, 0, None, 0, 0)])])]), U),
            ('lag without a source', plan_of([(1, 1, [step('lanes', 1, 0, [(1, 0, None, 1, 0)])])]), U),
            ('9 sources', plan_of([(1, 1, [step('lanes', 10, 0,
                                                [(0, 0, l - 1 if l else None, 0, 0) for l in range(10)])])]), U),
            ('tokens k 8', plan_of([(1, 1, [step('tokens', 1, 8, 0, 0)])]), U),
            ('tokens m > k', plan_of([(1, 1, [step('tokens', 1, 2, 3, 0)])]), U),
            ('tokens of 8 bytes, k 3, m 3', plan_of([(8, 1, [step('tokens', 1, 3, 3, 0)])]), U),
            ('tokens, zero', plan_of([(1, 1, [(10, b'\1\0\2\1\0\0\0\1')])]), U)]:
        yield lone('plan: ' + name, chk(plan=plan), verdict)
    yield lone('plan: pad', chk(plan=plan_of([(1, 1, [step('zigzag')])]), plan_pad=b'\1'), U)
    eight = [(0, 0, l - 1 if l else None, 0, 0) for l in range(9)] + [(0, 0, None, 0, 0)]
    yield lone('plan: 8 sources', chk(bytes(10), plan_of([(1, 1, [step('lanes', 10, 0, eight)])])), bytes(10))
    yield lone('plan: orders of 16', chk(bytes(8), plan_of([(1, 1, [step('difference', 1, 8, 0)] * 2)])), bytes(8))
    yield lone('plan: tuple beyond n', chk(HELLO, plan_of([(1, 1, [step('difference', 2 ** 32 - 1, 8, 0)])])), HELLO)


def substreams(lone):
    C = 'corrupt'
    one = struct.pack('<2d', 1, 1)
    scale0, scale1 = step('scale', 1, 0), step('scale', 1, 1)
    w8 = bytes(64)
    for name, steps, subs, w, data, verdict in [
            ('scale without anything', [scale0], [b'', b'', b'', b'', w8], 8, None, bytes(64)),
            ('a pair', [scale0], [one, b'', b'', b'', w8], 8, None, bytes(64)),
            ('a pair of 8 bytes', [scale0], [one[:8], b'', b'', b'', w8], 8, None, C),
            ('17 pairs', [scale0], [one * 17, b'\0', b'', b'', w8], 8, None, C),
            ('a pair of 0', [scale0], [bytes(8) + one[8:], b'', b'', b'', w8], 8, None, C),
            ('a pair of -1', [scale0], [struct.pack('<2d', -1, 1), b'', b'', b'', w8], 8, None, C),
            ('a pair of NaN', [scale0], [struct.pack('<2d', float('nan'), 1), b'', b'', b'', w8], 8, None, C),
            ('a pair of 2^301', [scale0], [struct.pack('<2d', 2.0 ** 301, 1), b'', b'', b'', w8], 8, None, C),
            ('2 pairs without selectors', [scale0], [one * 2, b'', b'', b'', w8], 8, None, C),
            ('a selector of 2', [scale0], [one * 2, b'\2', b'', b'', w8], 8, None, C),
            ('a bitmap of 2 bytes', [scale0], [b'', b'', bytes(2), b'', w8], 8, None, C),
            ('hole words without a bitmap', [scale0], [b'', b'', b'', bytes(8), w8], 8, None, C),
            ('2 hole words for 3 holes', [scale0], [b'', b'', b'\7', bytes(16), w8], 8, None, C),
            ('no hole word for a hole', [scale0], [b'', b'', b'\1', b'', w8], 8, None, C),
            ('one hole word for 3 holes', [scale0], [b'', b'', b'\7', bytes(8), w8], 8, None, bytes(64)),
            ('a bitmap without a hole', [scale0], [b'', b'', b'\0', b'', w8], 8, None, bytes(64)),
            ('a bitmap without a hole, a word', [scale0], [b'', b'', b'\0', bytes(8), w8], 8, None, bytes(64)),
            ('q above 2^53', [scale0], [one, b'', b'', b'', struct.pack('<q', 2 ** 53 + 1) + w8[8:]], 8, None, C),
            ('q above 2^53 under a hole', [scale0], [one, b'', b'\1', bytes(8),
                                                     struct.pack('<q', 2 ** 53 + 1) + w8[8:]], 8, None, bytes(64)),
            ('t of 2^63', [scale0], [struct.pack('<2d', 2.0 ** 63, 1), b'', b'', b'', b'\1' + w8[1:]], 8, None, C),
            ('f32 below 2^-126', [scale1], [struct.pack('<2d', 1, 2.0 ** 127), b'', b'', b'', b'\1' + bytes(31)], 4,
             None, C),
            ('f32 above all', [scale1], [struct.pack('<2d', 2.0 ** 128, 1), b'', b'', b'', b'\1' + bytes(31)], 4, None,
             C),
            ('predict, P 33', [step('predict', 1, 0)], [b'\x21\0' + bytes(66), bytes(8)], 1, None, C),
            ('predict, shift 16', [step('predict', 1, 0)], [b'\0\x10', bytes(8)], 1, None, C),
            ('predict, too short', [step('predict', 1, 0)], [b'\2\0' + bytes(2), bytes(8)], 1, None, C),
            ('predict, too long', [step('predict', 1, 0)], [b'\2\0' + bytes(6), bytes(8)], 1, None, C),
            ('predict, odd', [step('predict', 1, 0)], [b'\0\0\0', bytes(8)], 1, None, C),
            ('tokens', [step('tokens', 1, 2, 1, 0)], [bytes(8), b''], 1, None, bytes(8)),
            ('a token with f = W', [step('tokens', 1, 2, 1, 0)], [b'\x10' + bytes(7), b''], 1, None, C),
            ('raw bits too short', [step('tokens', 1, 2, 1, 0)], [b'\x0f' + bytes(7), b''], 1, None, C),
            ('raw bits too long', [step('tokens', 1, 2, 1, 0)], [bytes(8), b'\0'], 1, None, C),
            ('an unused raw bit', [step('tokens', 1, 2, 1, 0)], [b'\x0f' + bytes(7), b'\1'], 1, b'\xc0' + bytes(7), C),
            ('raw bits above n * w', [step('tokens', 1, 2, 1, 0)], [bytes(8), bytes(9)], 1, None, C),
            ('tokens less than n', [step('tokens', 1, 2, 1, 0)], [bytes(7), b''], 1, None, C),
            ('three substreams of tokens', [step('tokens', 1, 2, 1, 10)], [bytes(8), b'', bytes(4)], 1, None, C)]:
        yield lone('side: ' + name, side(steps, subs, data, w), verdict)
    row = plan_of([(2, 1, [scale0])])
    yield lone('side: n = 0', chk(b'a', row, lengths=[0, 0, 0, 0, 0, 1]), b'a')
    yield lone('side: a pair, n = 0', chk(b'a', row, lengths=[16, 0, 0, 0, 0, 1], frames=[frame(one + b'a')],
                                          unpacked=[17]), C)
    n = 200000
    both = plan_of([(1, 1, [scale0, step('tokens', 1, 2, 1, 0)])])
    yield lone('side: lengths above S', chk(bytes(n), both, [0, 0, n // 8, n, n, n], [bytes(1000)], [3 * n + n // 8]),
               C)
    yield lone('side: a length of 4 GiB', chk(lengths=[2 ** 32 - 1]), C)


def grid(lone, file):
    """Step 13, since version 1.1."""
    U, C = 'unsupported', 'corrupt'

    def given(s=1, signed=0, z=0, line=16, height=0, neighbours=1, more=b''):
        return 13, struct.pack('<HBBIII', s, signed, z, line, height, neighbours) + more
    for name, steps, verdict in [
            ('15 bytes', [(13, bytes(15))], C), ('17 bytes', [given(more=b'\0')], C), ('s 0', [given(s=0)], U),
            ('s 17', [given(s=17)], U), ('signed 2', [given(signed=2)], U), ('zero', [given(z=1)], U),
            ('a line of 15', [given(line=15)], U), ('no neighbour', [given(neighbours=0)], U),
            ('neighbour 24', [given(neighbours=1 << 24)], U), ('17 neighbours', [given(neighbours=2 ** 17 - 1)], U),
            ('twice', [given(), given()], U), ('after planes', [step('planes'), given()], U)]:
        yield lone('plan: grid, ' + name, chk(plan=plan_of([(1, 1, steps)])), verdict)
    one, two = given(), given(height=2, neighbours=5)
    z16, z48 = bytes(16), bytes(48)
    for name, steps, subs, data, verdict in [
            ('right', one, [b'\0', b'\0\x10', z16], z16, z16),
            ('256 predictors', one, [b'\xff', bytes(512), z16], z16, z16),
            ('257 predictors', one, [b'\0', bytes(514), z16], z16, C), ('no predictor', one, [b'\0', b'', z16], z16, C),
            ('half a predictor', two, [b'\0\0', bytes(6), z48], z48, C), ('two slices', two, [b'\0\0', bytes(4), z48], z48, z48),
            ('a choice without a predictor', two, [b'\0\1', bytes(4), z48], z48, C),
            ('too few choices', two, [b'\0', bytes(4), z48], z48, C),
            ('too many choices', one, [b'\0\0', bytes(2), z16], z16, C),
            ('less than a line', one, [b'', b'', z16[1:]], z16[1:], z16[1:]),
            ('less than a line, a choice', one, [b'\0', b'', z16[1:]], z16[1:], C),
            ('less than a line, a predictor', one, [b'', b'\0\0', z16[1:]], z16[1:], C)]:
        yield lone('side: grid, ' + name, side([steps], subs, data, 1, len(data)), verdict)
    for minor in (0, 1):  # no reader judges it
        made = stream((z16,), head=header(minor=minor), plans=[plan_of([(1, 1, [one])])], chunk=lambda n: dict(
            lengths=[1, 2, 16], frames=[frame(bytes(19))], unpacked=[19]))
        yield file('side: grid in a stream of version 1.%d' % minor, made, z16)


def packed(lone, file):
    """Step 11, since version 1.1."""
    U, C = 'unsupported', 'corrupt'
    one, two, many = step('packed', 1), step('packed', 2), step('packed', 256)
    for name, steps, verdict in [
            ('2 bytes', [(11, b'\1\0')], C), ('6 bytes', [(11, b'\1\0\0\0\0\0')], C), ('no bytes', [(11, b'')], C),
            ('2 bytes, s 0', [(11, bytes(2))], C), ('s 0', [step('packed', 0)], U), ('s 257', [step('packed', 257)], U),
            ('zero, low', [(11, b'\1\0\1\0')], U), ('zero, high', [(11, b'\1\0\0\x80')], U),
            ('then zigzag', [one, step('zigzag')], U), ('twice', [one, one], U),
            ('then tokens', [one, step('tokens', 1, 2, 1, 0)], U)]:
        yield lone('plan: packed, ' + name, chk(plan=plan_of([(1, 1, steps)])), verdict)
    z, nothing = bytes(4), bytes(8)
    seven, bits = bytes(range(8)), sum(i << 3 * i for i in range(8)).to_bytes(6, 'little')
    for name, steps, subs, w, n, verdict in [
            ('no bits', [one], [b'\0', b'\0', z, b''], 1, 8, nothing),
            ('3 bits', [one], [b'\3', b'\0', z, bits], 1, 8, seven),
            ('a width that no group has', [one], [b'\0\3\5', b'\1', z, bits], 1, 8, seven),
            ('a width of W', [one], [b'\x08', b'\0', z, seven + nothing], 1, 8, seven),
            ('widths 0', [one], [b'\0\3', b'\1', z, bits], 1, 8, seven),
            ('16 widths', [one], [bytes(range(1, 17)), b'\x0f', z, b'\1' + bytes(31)], 8, 8, b'\1' + bytes(63)),
            ('no widths', [one], [b'', b'\0', z, b''], 1, 8, C),
            ('17 widths', [one], [bytes(range(17)), b'\0', z, b''], 8, 8, C),
            ('the same width twice', [one], [b'\3\3', b'\0', z, bits], 1, 8, C),
            ('widths descend', [one], [b'\3\2', b'\0', z, bits], 1, 8, C),
            ('widths descend after the used ones', [one], [b'\0\3\5\4', b'\1', z, bits], 1, 8, C),
            ('a width above W', [one], [b'\3\x09', b'\0', z, bits], 1, 8, C),
            ('a width above W, used', [two], [b'\0\x09', b'\x10', z, bytes(18)], 1, 8, C),
            ('a width of 255', [one], [b'\3\xff', b'\0', z, bits], 8, 8, C),
            ('a code of T', [one], [b'\3', b'\1', z, bits], 1, 8, C),
            ('a code of 15', [one], [b'\0\3', b'\x0f', z, bits], 1, 8, C),
            ('a code of T in the high half', [two], [b'\0', b'\x10', z, b''], 1, 8, C),
            ('the unused half', [one], [b'\0\3', b'\x10', z, b''], 1, 8, C),
            ('the unused half, above T', [one], [b'\3', b'\x80', z, bits], 1, 8, C),
            ('no codes', [one], [b'\0', b'', z, b''], 1, 8, C),
            ('codes too long', [one], [b'\0', bytes(2), z, b''], 1, 8, C),
            ('a code a group', [two], [b'\0', bytes(2), z, b''], 1, 8, C),
            ('no place', [one], [b'\0', b'\0', b'', b''], 1, 8, C),
            ('2 places', [one], [b'\0', b'\0', bytes(8), b''], 1, 8, C),
            ('a first place of 1', [one], [b'\3', b'\0', b'\1' + bytes(3), bits], 1, 8, C),
            ('bits too short', [one], [b'\3', b'\0', z, bits[:4]], 1, 8, C),
            ('no bits for 3', [one], [b'\3', b'\0', z, b''], 1, 8, C),
            ('bits too long', [one], [b'\3', b'\0', z, bits + bytes(2)], 1, 8, C),
            ('bits odd', [one], [b'\3', b'\0', z, bits + bytes(1)], 1, 8, C),
            ('bits above 2 W G', [one], [b'\x08', b'\0', z, seven + bytes(10)], 1, 8, C),
            ('the first fill word', [one], [b'\3', b'\0', z, bits[:3] + b'\1' + bits[4:]], 1, 8, C),
            ('the last bit of the fill words', [one], [b'\3', b'\0', z, bits[:5] + b'\x80'], 1, 8, C),
            ('3 substreams', [one], [b'\0', b'\0', z], 1, 8, C),
            ('5 substreams', [one], [b'\0', b'\0', z, b'', b''], 1, 8, C),
            ('lanes', [two], [b'\1\3', b'\x01', z, b'\x88\x06' + bytes(4) + b'\5\0'], 1, 8, b'\0\1\1\0\2\1\3\0'),
            ('s above n', [many], [b'\0\1', b'\0\0\x10\0', z, b'\1\0'], 1, 8, b'\0\0\0\0\0\1\0\0'),
            ('s above n, a group for each lane', [many], [b'\0', bytes(128), z, b''], 1, 8, C),
            ('a last block with less than s words', [two], [b'\0\2', b'\0\1', z, b'\2' + bytes(3)], 1, 33,
             bytes(32) + b'\2'),
            ('a last block with a group for each lane', [two], [b'\0\2', b'\0\x11', z, b'\2' + bytes(7)], 1, 33, C),
            ('257 groups', [one], [b'\1\2', bytes(128) + b'\1', z + b'\0\2\0\0', bytes(512) + b'\3' + bytes(3)], 1,
             4097, bytes(4096) + b'\3'),
            ('a later place too small', [one], [b'\1', bytes(129), z + b'\xfe\1\0\0', bytes(514)], 1, 4097, C),
            ('a later place too large', [one], [b'\1', bytes(129), z + b'\0\2\0\1', bytes(514)], 1, 4097, C),
            ('a later place missing', [one], [b'\1', bytes(129), z, bytes(514)], 1, 4097, C),
            ('a place for 256 groups and one after them', [one], [b'\1', bytes(128), z + b'\0\2\0\0', bytes(512)], 1,
             4096, C)]:
        data = verdict
        if verdict == C:  # a careless reader would restore this
            data = b''.join(v.to_bytes(w, 'little') for v in seven) if subs[-1][:3] == bits[:3] else bytes(n * w)
        yield lone('side: packed, ' + name, side(steps, subs, data, w, n), verdict)
    row = plan_of([(2, 1, [one])])
    yield lone('side: packed, n = 0', chk(b'a', row, lengths=[0, 0, 0, 0, 1]), b'a')
    yield lone('side: packed, n = 0, a width', chk(b'a', row, lengths=[1, 0, 0, 0, 1], frames=[frame(b'\0a')],
                                                  unpacked=[2]), C)
    for minor in (0, 1, 2):  # no reader judges it
        made = stream((nothing,), head=header(minor=minor), plans=[plan_of([(1, 1, [one])])], chunk=lambda n: dict(
            lengths=[1, 1, 4, 0], frames=[frame(bytes(6))], unpacked=[6]))
        yield file('side: packed in a stream of version 1.%d' % minor, made, nothing)


def frames(lone):
    C, n = 'corrupt', 4096
    z = bytes(n)
    big = bytes(131073)
    for name, data, f, verdict in [
            ('raw', z, frame(z), z), ('RLE', z, frame(z, blocks=block(1, n, b'\0')), z),
            ('a checksum that is wrong', z, frame(z, 0xA4) + b'abcd', z),
            ('a checksum cut', z, frame(z, 0xA4) + b'abc', C),
            ('dictionary id 0', z, frame(z, 0xA1, extra=b'\0'), C),
            ('dictionary id 7', z, frame(z, 0xA2, extra=b'\7\0'), C),
            ('a reserved bit', z, frame(z, 0xA8), C), ('the unused bit', z, frame(z, 0xB0), z),
            ('another magic', z, b'\x29' + frame(z)[1:], C), ('a skippable frame', z,
                                                              struct.pack('<II', 0x184D2A50, n) + z, C),
            ('window of 8 MiB', z, frame(z, 0x80, 13 << 3), z), ('window of 9 MiB', z, frame(z, 0x80, 13 << 3 | 1), C),
            ('window log 41', z, frame(z, 0x80, 31 << 3), C),
            ('raw block above the window', z, frame(z, 0x80, 0), C),
            ('RLE block above the window', z, frame(z, 0x80, 0, blocks=block(1, n, b'\0')), C),
            ('raw block above 128 KiB', big, frame(big), C), ('RLE block above 128 KiB', big,
                frame(big, blocks=block(1, 131073, b'\0') + b'\0\0\0\0\0'), C),
            ('compressed block above the window', z, frame(z, blocks=block(2, 4100,
                (0 | 3 << 2 | n << 4).to_bytes(3, 'little') + z + b'\0')), C),
            ('two blocks', big, frame(big, blocks=block(1, 131072, b'\0', 0) + block(1, 1, b'\0')), big),
            ('block type 3', z, frame(z, blocks=block(3, n, z)), C), ('two frames', z, frame(z[:1]) + frame(z[1:]), C),
            ('a byte behind', z, frame(z) + b'\0', C), ('content size', z, frame(z, size=n - 1), C),
            ('less than its content size', z, frame(z, blocks=block(0, n - 1, z[1:])), C),
            ('more than its content size', z, frame(z, blocks=block(0, n, z, 0) + block(0, 1, b'\0')), C),
            ('no content size', z, struct.pack('<IBB', 0xFD2FB528, 0, 13 << 3) + block(0, n, z), C),
            ('only a header', z, frame(z, blocks=b''), C)]:
        yield lone('frame: ' + name, chk(data, frames=[f]), verdict)
    yield lone('frame: packed too small', chk(z * 80, frames=[bytes(11)]), C)
    yield lone('frame: packed too large', chk(b'a', frames=[frame(b'a') + bytes(512)]), C)
    yield lone('frame: unpacked 0', chk(b'a', frames=[frame(b'a'), frame(b'')], unpacked=[1, 0]), C)
    yield lone('frame: unpacked together less', chk(z, frames=[frame(z[1:])], unpacked=[n - 1]), C)
    yield lone('frame: none there', chk(z)[:-4115], 'truncated')
    nine = bytes(9 << 20)

    def blocks(size):
        return b''.join(block(1, min(131072, size - i), b'\0', i + 131072 >= size) for i in range(0, size, 131072))
    yield lone('frame: a single segment of 8 MiB', chk(nine[:8 << 20],
                                                       frames=[frame(nine[:8 << 20], blocks=blocks(8 << 20))]),
                                                       nine[:8 << 20])
    yield lone('frame: a single segment of 9 MiB', chk(nine, frames=[frame(nine, blocks=blocks(9 << 20))]), C)
    yield lone('frame: 9 MiB in a window of 8', chk(nine, frames=[frame(nine, 0x80, 13 << 3, blocks=blocks(9 << 20))]),
               nine)
    yield lone('frame: 4 bytes for each 128 KiB', chk(nine, frames=[frame(nine, 0x80, 13 << 3, blocks=b'\0' * 200)]), C)


def main():
    import collections, strict
    told, wrong = collections.Counter(), 0
    for name, data, verdict, is_lone in cases():
        try:
            got, why = (strict.lone if is_lone else strict.read)(data), ''
        except strict.Bad as e:
            got, why = type(e).__name__.lower(), str(e)
        told[verdict if isinstance(verdict, str) else 'right'] += 1
        if got != verdict:
            wrong += 1
            print('WRONG', name, got if isinstance(got, str) else len(got), why, '| expected',
                  verdict if isinstance(verdict, str) else len(verdict))
    assert not wrong
    return told


if __name__ == '__main__':
    print(main())
