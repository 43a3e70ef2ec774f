# SPDX-License-Identifier: Apache-2.0
"""Do the decoders of tdz and the models of FORMAT.md say the same of random streams, by every way into tdz?

    compare_decoders.py JUDGE [COUNT [SEED [FIRST]]]
        JUDGE is the program tdz_judge; exits 77 where a module is missing
    compare_decoders.py --self-test JUDGE

The streams: with seed 1 one for each rule (bad.py); and COUNT of made_streams.py, the first of them number
FIRST, a third of them lone blocks. COUNT is 2000, with TDZ_TEST_FULL=1 200000. A stream that differs is
written to differs/ in the current folder. The self-test changes the model in one place after another, and
fails if no difference is found then.
"""
import collections, functools, os, random, shutil, struct, subprocess, sys, tempfile

sys.dont_write_bytecode = True
try:
    import bad, check, compare_recovery, device, made_streams, recovery, strict, strict_index, xxhash
except ImportError as e:
    system = '/usr/bin/python3'  # the one that has the distribution's modules
    if os.path.realpath(sys.executable) != os.path.realpath(system) and os.access(system, os.X_OK):
        os.execv(system, [system, '-B'] + sys.argv)
    print('Skipped:', e)
    sys.exit(77)

NONE = strict.NONE
VERDICTS = ('corrupt', 'truncated', 'unsupported')


def name(data):
    return '%d:%s' % (len(data), xxhash.xxh3_128_hexdigest(data))


class Asked:
    """A stream, the part of it that is asked for, and what the models say, computed when it is needed."""
    def __init__(self, title, data, is_block, forged):
        self.title, self.data, self.is_block, self.forged = title, data, is_block, forged
        R = random.Random(title)
        top = R.choice([1, 10, 300, 3000, 100000])
        self.offset = R.choice([0, R.randrange(top)])
        self.count = R.choice([None, None, 1, R.randrange(1, top + 1)])

    def question(self):
        return struct.pack('<cQQI', b'b' if self.is_block else b'f', self.offset,
                           NONE if self.count is None else self.count, len(self.data)) + self.data

    @functools.cached_property
    def whole(self):
        """(verdict or None, what is delivered before it, ends)"""
        seen = strict.Seen()
        return verdict(lambda: strict.read(self.data, seen)), seen.original(), seen.ends

    def part(self, offset, count, pipe):
        seen = strict_index.Part(offset, count)
        return verdict(lambda: strict_index.read(self.data, seen, pipe)), seen.original()

    @functools.cached_property
    def asked_part(self):
        return self.part(self.offset, self.count, False)


def verdict(read):
    try:
        read()
    except strict.Bad as e:
        return type(e).__name__.lower()
    except strict_index.Usage:
        return 'usage'
    return None


def told(kind, data):
    """As the judge says it, where an error has the bytes before it."""
    return name(data) if kind is None else '%s/%s' % (kind, name(data))


# What each way has to answer. A function gets the stream and the answer, and returns what it expected
# instead, or None.


def expect(answer, *allowed):
    return None if answer in allowed else ' or '.join(map(str, allowed))[:400]


def by_file(asked, answer):
    return expect(answer, told(*asked.whole[:2]))


def by_digest(asked, answer):
    """END's digest of the whole is compared on demand."""
    kind, data, ends = asked.whole
    before = b''
    for end, original in ends:
        before += original
        if end[88] == 1 and xxhash.xxh3_128_digest(original) != end[72:88]:
            return expect(answer, told('corrupt', before))
    return expect(answer, told(kind, data))


def by_range(asked, answer):
    return expect(answer, told(*asked.asked_part))


def by_pipe_range(asked, answer):
    return expect(answer, told(*asked.part(asked.offset, asked.count, True)))


def first_error(asked, answer):
    """Of a reader that found no way through the file from its end, and goes through it in order, without
    frames."""
    kind = verdict(lambda: strict.read(asked.data, strict_index.Part(0, None, False)))
    return expect(answer, kind) if kind else expect(answer, *VERDICTS)


def by_reader(asked, answer):
    """It reads the index of all streams, and then as much of the part as there is."""
    file, streams = memoryview(asked.data), []

    def open_it():
        streams.extend(strict_index.streams_from_the_end(file))
        for stream in streams:
            strict_index.index_of(file, stream)

    wrong = verdict(open_it)
    if answer in VERDICTS:
        return (wrong != answer and first_error(asked, answer)) if asked.whole[0] else 'it is right'
    if wrong:
        return 'an error: an index is wrong'
    total = sum(stream.original for stream in streams)
    begin = min(asked.offset, total)
    count = total - begin if asked.count is None else min(asked.count, total - begin)
    kind, data = asked.part(begin, count, False) if count else (None, b'')
    return expect(answer, '%d/%s' % (total, kind or name(data)))


def by_info(asked, answer):
    if answer in VERDICTS:
        return first_error(asked, answer) if asked.whole[0] else 'it is right'
    try:
        return expect(
            answer,
            str(sum(stream.original for stream in strict_index.streams_from_the_end(memoryview(asked.data)))))
    except strict.Bad:
        return 'an error: no way from its end to its front'


def is_made_of(data, file):
    """Is it originals of chunks in the file, one after another?"""
    originals = {
        compare_recovery.chunk_at(file, place)[2]
        for place, kind, _ in recovery.records(file) if kind == b'CHK '
    }
    reached, todo = {0}, [0]
    while todo and len(data) not in reached:
        at = todo.pop()
        more = {at + len(o) for o in originals if o and data.startswith(o, at)} - reached
        reached |= more
        todo += more
    return len(data) in reached


def by_recover(asked, answer):
    """The model of recovery knows which chunks are found, and not how long the original was. Of forged
    records it does not know enough: then what is left has to be originals of chunks in the file."""
    kind, data, _ = asked.whole
    said, left = answer.split('/')
    left = bytes.fromhex(left)
    if kind is None:
        return expect((said, left), ('complete', data))
    if said not in ('complete', 'incomplete') + VERDICTS or left and said in VERDICTS:
        return 'a verdict, or some bytes'
    if asked.forged:
        return None if is_made_of(left, asked.data) else 'bytes of chunks'
    found = compare_recovery.delivered(asked.data)
    return None if left == found else name(found)


def by_device(asked, answer):
    """Where the index leads to all chunks, that is its way; otherwise it goes through the file in order."""
    through = strict_index.records_through_index(asked.data, 0, None)
    kind, data = asked.part(0, None, False) if through else asked.whole[:2]
    return expect(answer.split('/')[0], kind or name(data))


def by_device_range(asked, answer):
    kind, data = asked.asked_part
    return expect(answer.split('/')[0], kind or name(data))


def lone(asked):
    if not hasattr(asked, 'restored'):
        try:
            asked.restored = strict.lone(asked.data)
        except strict.Bad as e:
            asked.restored = type(e).__name__.lower()
    return asked.restored


def by_block(asked, answer):
    restored = lone(asked)
    return expect(answer, restored if isinstance(restored, str) else name(restored))


def by_plan(asked, answer):
    if isinstance(lone(asked), str):
        return None
    return expect(answer, name(asked.data[96:96 + struct.unpack_from('<I', asked.data, 68)[0]]))


def by_device_block(asked, answer):
    """Where the model of a device gives no verdict on uniform blocks, the CPU has to decode."""
    restored, *by_cpu = answer.split('/')
    wrong = by_block(asked, restored)
    if wrong or isinstance(lone(asked), str) or asked.data[97] != 1 or '1' in by_cpu:
        return wrong
    try:
        device.uniform_words(asked.data)
    except device.NoOpinion as e:
        return 'decoded by the CPU: ' + str(e)
    return None


def by_kernel(asked, answer):
    restored = lone(asked)
    return expect(answer, 'none') if isinstance(restored, str) else expect(answer, 'none', name(restored))


OF_FILES = {
    'file': by_file,
    'pipe': by_file,
    'digest': by_digest,
    'range': by_range,
    'pipe_range': by_pipe_range,
    'reader': by_reader,
    'recover': by_recover,
    'info': by_info,
    'device': by_device,
    'device_range': by_device_range
}
OF_BLOCKS = {
    'block': by_block,
    'c': by_block,
    'plan': by_plan,
    'device': by_device_block,
    'kernel': by_kernel
}


def streams(count, seed, first):
    """Those of bad.py first, if the seed is 1."""
    for title, data, _, is_block in bad.cases() if seed == 1 else ():
        yield Asked(title, data, is_block, True)
    for number in range(first, first + count):
        is_block, key = number % 3 == 2, '%d.%d' % (seed, number)
        made = made_streams.block(key) if is_block else made_streams.file(key)
        yield Asked('%s %s: %s' % ('block' if is_block else 'file', key, ', '.join(made.how) or 'whole'),
                    made.bytes, is_block, made.forged)


def compare(asked, line, covered):
    """Prints each difference; returns whether there is one."""
    wrong = False
    for pair in line.split():
        way, answer = pair.split('=', 1)
        expected = (OF_BLOCKS if asked.is_block else OF_FILES)[way](asked, answer)
        covered['%s %s' % ('block' if asked.is_block else 'file', way)] += 1
        if way == 'kernel' and answer != 'none' or answer.endswith('/0/0') and not answer.startswith('0:'):
            covered['decoded on the device alone: ' + way] += 1
        if expected:
            wrong = True
            print('DIFFERS %s | %s: %s | model: %s' % (asked.title, way, answer[:400], expected), flush=True)
    restored = lone(asked) if asked.is_block else asked.whole[0] or b''
    covered['verdict: ' + (restored if isinstance(restored, str) else 'right')] += 1
    covered['streams'] += 1
    return wrong


def keep(asked):
    os.makedirs('differs', exist_ok=True)
    with open('differs/%s.tdz' % asked.title.split(':')[0].replace(' ', '-').replace('/', '-'), 'wb') as f:
        f.write(asked.data)


def main(judge, count=None, seed=1, first=0):
    count = int(count or (200000 if os.environ.get('TDZ_TEST_FULL', '0') != '0' else 2000))
    covered, wrong = collections.Counter(), 0
    with subprocess.Popen([judge], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        for asked in streams(count, int(seed), int(first)):
            process.stdin.write(asked.question())
            process.stdin.flush()
            line = process.stdout.readline().decode()
            if not line:
                keep(asked)
                sys.exit('the judge ended at %s' % asked.title)
            if compare(asked, line, covered):
                keep(asked)
                wrong += 1
        process.stdin.close()
    for key in sorted(covered):
        print('%7d %s' % (covered[key], key))
    print('%d streams, %d with a difference' % (covered['streams'], wrong))
    return wrong != 0


# (file, what is changed, into what, the first of some streams of seed 2 that show it)
CHANGES = [('strict_columns.py', 'total = 2048', 'total = 2047', 0),
           ('strict_columns.py', "corr(value == 0, 'fill words')", 'pass', 140),
           ('strict_columns.py', 'if c and i >= len(c):', 'if c and i > len(c):', 0),
           ('strict.py', "corr(chain == stream.chain, 'END: chain')", 'pass', 200),
           ('strict_index.py', 'return self.frames and self.total + D > self.begin',
            'return self.total + D > self.begin + 1', 90),
           ('compare_recovery.py', 'original_of(file[place:end])', 'original_of(file[place:end - 1])', 0)]


def self_test(judge):
    """In copies of the model."""
    here, judge, missed = os.path.dirname(os.path.abspath(__file__)), os.path.abspath(judge), 0
    for file, old, new, first in CHANGES:
        with tempfile.TemporaryDirectory() as folder:
            copy = os.path.join(folder, 'model')
            shutil.copytree(here, copy, ignore=shutil.ignore_patterns('judge', '__pycache__'))
            with open(os.path.join(copy, file)) as f:
                text = f.read()
            assert text.count(old) == 1, (file, old)
            with open(os.path.join(copy, file), 'w') as f:
                f.write(text.replace(old, new))
            done = subprocess.run([
                sys.executable, '-B',
                os.path.join(copy, 'compare_decoders.py'), judge, '40', '2',
                str(first)
            ],
                                  cwd=folder,
                                  stdout=subprocess.PIPE,
                                  text=True)
        found = done.returncode == 1 and 'DIFFERS' in done.stdout
        print(file, old, '| found' if found else '| NOT FOUND')
        missed += not found
    return missed != 0


if __name__ == '__main__':
    sys.exit(self_test(sys.argv[2]) if sys.argv[1] == '--self-test' else main(*sys.argv[1:]))
