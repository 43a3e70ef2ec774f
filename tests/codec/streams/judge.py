# SPDX-License-Identifier: Apache-2.0
"""Do the readers of tdz give the verdicts of the model (tests/model/strict.py)?

    judge.py JUDGE [COUNT [SEED]]       JUDGE is the program tdz_judge; exits 77 where a module of Python is missing

The files: one for each rule (tests/model/bad.py), and COUNT good ones, each also cut, with a flipped bit, doubled, and
with wrong fields under right checks.
"""
import os, random, struct, subprocess, sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'model'))
sys.dont_write_bytecode = True
try:
    import bad, check, recovery, strict, writer, xxhash
except ImportError as e:
    system = '/usr/bin/python3'  # the one that has the distribution's modules
    if sys.executable != system and os.access(system, os.X_OK):
        os.execv(system, [system, '-B'] + sys.argv)
    print('Skipped:', e)
    sys.exit(77)


def verdict(data):
    """Of the model: a kind of error, or the original."""
    try:
        return strict.read(data)
    except strict.Bad as e:
        return type(e).__name__.lower()


def wrong_fields(pick, file):
    at, _, record = pick.choice(recovery.records(file))
    changed = bytearray(record)
    for _ in range(pick.choice([1, 1, 2])):
        i = pick.choice([pick.randrange(12, 24), pick.randrange(32, min(96, len(record) - 8)),
                         pick.randrange(32, len(record) - 8)])
        changed[i] = pick.choice([changed[i] ^ 1 << pick.randrange(8), 0, 1, 255, pick.randrange(256)])
    return file[:at] + bad.reseal(changed) + file[at + len(record):]


def flipped(pick, file):
    out = bytearray(file)
    out[pick.randrange(len(file))] ^= 1 << pick.randrange(8)
    return bytes(out)


def made(count, seed):
    """(name, file, original if it is known)"""
    pick = check.R = random.Random(seed)
    for i in range(count):
        chunks = [check.some_chunk(300) + (0,) for _ in range(pick.choice([1, 2, 3]))]
        file = writer.stream(chunks, C=65536, largest_frame=pick.choice([4096, 65536]), known=pick.choice([True, False]),
                             note=pick.choice([None, b'x']), entries_a_part=pick.choice([1, 2, 65536]))
        original, cut = b''.join(chunk[0] for chunk in chunks), file[:pick.randrange(len(file))]
        pads = [bytes(pick.randrange(300)) for _ in range(2)]
        for name, data, whole in [('good', file, original), ('cut', cut, original), ('cut behind a stream', file + cut, None),
                                  ('doubled', file + pads[0] + file + pads[1], original + original),
                                  ('flipped', flipped(pick, file), original),
                                  ('wrong fields', wrong_fields(pick, file), original)]:
            yield '%s, seed %d, file %d' % (name, seed, i), data, whole


def main(judge, count=200, seed=1):
    files = [(name, data, None) for name, data, _, lone in bad.cases() if not lone] + list(made(int(count), int(seed)))
    stdin = b''.join(struct.pack('<I', len(data)) + data for _, data, _ in files)
    lines = subprocess.run([judge], input=stdin, stdout=subprocess.PIPE, check=True).stdout.decode().splitlines()
    assert len(lines) == len(files)
    wrong = 0
    for (name, data, original), line in zip(files, lines):
        whole, indexed = line.split()
        expected = verdict(data)
        good = not isinstance(expected, str)
        known = xxhash.xxh3_128_hexdigest(expected if good else original) if good or original is not None else None
        # A reader that begins at the index does not see all of a file. But what it delivers is right.
        agree = whole == (known if good else expected) and (indexed == known or not good and (known is None or len(indexed) < 32))
        if not agree:
            wrong += 1
            print('WRONG', name, '| readers:', whole, indexed, '| model:', 'accepted' if good else expected)
    print(len(files), 'files,', wrong, 'with another verdict')
    return wrong != 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
