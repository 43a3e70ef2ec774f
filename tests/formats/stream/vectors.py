# SPDX-License-Identifier: Apache-2.0
"""Writes vectors.txt: files, lone blocks, edits of them, with the verdicts of tests/model/strict.py on their records.

    python3 vectors.py > vectors.txt        needs numpy, xxhash and zstandard, as the models do

Contents of plans, lengths that follow from plans, frames and digests of chunks are not judged here: frames are stepped
over. A line is

    stream|lone VERDICT HEX NAME        in HEX, (NNN) stands for NNN zero bytes, and [NNN] for the first NNN bytes of
                                        the stream or lone block before; - is nothing
    edit VERDICT AT=HEX ..              of the last stream or lone block; then all checks are made right again
"""
import os, random, re, struct, sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'model'))
sys.dont_write_bytecode = True
import bad, strict
from writer import xxh64

LONGEST = 1500  # bytes of a file: longer ones would fill the table


def only_records():
    """Takes from the model what is not the records' business."""
    judged = strict.corr
    strict.corr = lambda good, what: what == 'digest' or judged(good, what)
    strict.read_plan = lambda plan: (None, None)
    strict.judge_lengths = lambda columns, row, D, lengths: None
    strict.unframe = lambda data, unpacked: b''
    strict.undo = lambda columns, row, D, joined, lengths: bytes(D)


def verdict(kind, data):
    try:
        (strict.lone if kind == 'lone' else strict.read)(data)
        return 'accepted'
    except strict.Bad as e:
        return type(e).__name__.lower()


def hexed(data, before):
    common = len(os.path.commonprefix([data, before]))
    out = '[%d]' % common if common > 4 else ''
    for part in re.split(b'(\0{4,})', data[len(out) and common:]):
        out += '(%d)' % len(part) if len(part) >= 4 and not any(part) else part.hex()
    return out or '-'


def records(data):
    """(begin, end) of each record; frames are stepped over."""
    at, out = 0, []
    while at < len(data):
        T = 8 + struct.unpack_from('<I', data, at + 4)[0]
        out.append((at, at + T))
        at += T
        if data[at - T + 12:at - T + 16] == b'CHK ':
            plan, N, F = struct.unpack_from('<III', data, at - T + 68)
            first = at - T + 96 + strict.up8(plan) + strict.up8(4 * N)
            at += sum(struct.unpack_from('<I', data, first + 8 * i)[0] for i in range(F))
    return out


def edited(data, edits):
    out = bytearray(data)
    for at, value in edits:
        out[at:at + len(value)] = value
    for begin, end in records(data):
        struct.pack_into('<Q', out, begin + 24, xxh64(bytes(out[begin:begin + 24])))
        struct.pack_into('<Q', out, end - 8, xxh64(bytes(out[begin:end - 8])))
    return bytes(out)


def print_edit(kind, data, edits):
    print('edit', verdict(kind, edited(data, edits)), *('%d=%s' % (at, value.hex()) for at, value in edits))


def print_edits(kind, data, pick):
    """A hostile value in every field, alone and in pairs: so the order of judgement shows."""
    places = [at for begin, end in records(data) for at in (*range(begin + 4, begin + 8), *range(begin + 12, begin + 24),
                                                            *range(begin + 32, end - 8))]
    fields = [at for at in places if at % 4 == 0 or at % 7 == 0]
    values = [b'\1', b'\0', b'\xff', b'\x80', b'\0\0\0\0', b'\1\0\0\0', b'\xff' * 4, b'\xff' * 8]
    for at in fields:
        print_edit(kind, data, [(at, pick.choice(values[:4]))])
    for _ in range(len(fields)):
        begin, end = pick.choice(records(data))
        two = [(pick.choice([at for at in fields if begin < at < end]), pick.choice(values)) for _ in range(2)]
        print_edit(kind, data, [(at, value) for at, value in two if at + len(value) <= end - 8])


def main():
    only_records()
    pick = random.Random(1)
    seen, before = set(), b''
    for name, data, _, is_lone in bad.cases():
        kind = 'lone' if is_lone else 'stream'
        if len(data) > LONGEST or name.split(':')[0] in ('plan', 'side', 'frame') or (kind, data) in seen:
            continue
        seen.add((kind, data))
        print(kind, verdict(kind, data), hexed(data, before), name)
        before = data
    bases = [('stream', bad.stream((b'a', b'bc'), parts=[1, 2], notes=(0, 3)), 'a base of edits'),
             ('stream', bad.stream((b'abc',), head=bad.header(size=3)), 'a base of edits'),
             ('stream', bad.stream((), notes=(0,)), 'a base of edits'),
             ('lone', bad.chk(entries=bytes(12)), 'a base of edits')]
    for kind, data, name in bases:
        print(kind, verdict(kind, data), hexed(data, before), name)
        before = data
        print_edits(kind, data, pick)


if __name__ == '__main__':
    main()
