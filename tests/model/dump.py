# SPDX-License-Identifier: Apache-2.0
"""Prints the example of formats/FORMAT.md: a tiny file, every byte explained."""
import struct
import writer

numbers = [100, -3, 101, -5, 103, -6]
data = b''.join(struct.pack('<h', v) for v in numbers) + b'\x2a'
columns = [{'width': 2, 'count': 2, 'steps': [('difference', 2, 1, 0), ('zigzag',), ('tuple-planes', 2)]}]
file = writer.stream([(data, columns, 0)], nominal=b'i16x2')
at = 0
lines = []


def part(size, text, split=16):
    global at
    piece = file[at:at + size]
    for i in range(0, size, split):
        row = piece[i:i + split]
        lines.append(f'{at + i:04X}  {row.hex(" ").upper():<47}  {text if i == 0 else ""}'.rstrip())
    at += size


def head(kind, what):
    lines.append(f'--    {what}')
    size = struct.unpack_from('<I', file, at + 4)[0]
    part(8, f'magic; size {size}: the record has {size + 8} bytes')
    part(8, f'"tdz", 1A, "{kind}"')
    part(8, 'version 1.0, features to be understood: 1' if kind == 'HDR ' else 'stream id')
    part(8, 'check of the 24 bytes above')


head('HDR ', 'HDR')
part(8, 'original size 13')
part(8, 'largest chunk 1 MiB, largest frame 1 MiB')
part(8, 'the type has 5 bytes, the sentence 98; zero')
part(5, '"i16x2"')
part(98, '"This is a tdz file. Plain zstd turns it into residuals, ...')
pad = -at % 8
part(pad, 'zeros to a multiple of 8')
part(8, 'check of the record')
chk = at
head('CHK ', 'CHK')
part(8, f'stands at {chk:X}')
part(8, 'chunk 0')
part(8, 'original offset 0')
part(8, 'digest of the 13 original bytes')
part(8, '13 original bytes; the plan has 32')
part(8, '2 substreams; 1 frame')
part(8, 'no blocks listed; digest XXH3-64; features 0; zero')
part(8, 'chain: XXH3-64 of no bytes')
part(4, 'plan: 1 column, zstd frames, zero')
part(4, 'column: 2-byte words, 3 steps, 2 words a row')
part(12, 'step difference, 8 bytes: tuple 2, order 1, r = 0, zero')
part(4, 'step zigzag, 0 bytes')
part(8, 'step tuple-planes, 4 bytes: tuple 2')
assert (at - chk) % 8 == 0
part(8, 'substreams: 12 bytes of tuple-planes, 1 byte behind the rows')
packed, unpacked = struct.unpack_from('<II', file, at)
part(8, f'frame: {packed} bytes packed, {unpacked} unpacked')
part(8, 'check of the record')
lines.append('--    frame, an ordinary zstd frame')
part(4, 'zstd magic')
part(2, 'descriptor (single segment, checksum); content size 13')
part(3, 'block header: last, raw, 13 bytes')
part(12, 'lane 0 low, high; lane 1 low, high')
part(1, 'the byte behind the rows')
part(4, "zstd's checksum of them")
index = at
head('INDX', 'INDX')
part(8, f'stands at {index:X}')
part(8, 'first chunk 0')
part(8, 'no part before it')
part(8, '1 entry; 1 plan')
part(8, 'plans take 32 bytes; the last part; digest XXH3-64; zero')
part(32, 'the plan, as in CHK')
part(8, f'entry: its CHK lies at {chk:X}')
part(8, 'original offset 0')
part(8, 'digest')
part(8, f'13 original bytes; {index - chk} stored bytes (CHK and frame)')
part(8, 'plan 0; zeros')
part(8, 'check of the record')
head('END ', 'END')
part(8, f'stream of {len(file)} bytes')
part(8, '1 chunk')
part(8, '13 original bytes')
part(8, f'last INDX at {index:X}')
part(8, 'chain: XXH3-64 of the chain and digest of chunk 0')
part(16, 'XXH3-128 of the original')
part(8, 'of kind 1; zero')
part(8, 'check of the record')
assert at == len(file), (at, len(file))


def text():
    return '\n'.join(lines) + '\n'


if __name__ == '__main__':
    print(text(), end='')
