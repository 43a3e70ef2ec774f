# SPDX-License-Identifier: Apache-2.0
"""Frames of uniform blocks (coding 1): zstd blocks of literals alone, of L = 4 runs, made without libzstd."""
import collections, struct
import xxhash


def code_lengths(counts, limit=11):
    """Package-merge: symbol -> bits, at most `limit`."""
    symbols = sorted(counts, key=lambda s: (counts[s], s))
    leaves = [(counts[s], (s,)) for s in symbols]
    packages = []
    for _ in range(limit):
        merged = sorted(leaves + packages, key=lambda p: p[0])
        packages = [(a[0] + b[0], a[1] + b[1]) for a, b in zip(merged[0::2], merged[1::2])]
    bits = collections.Counter()
    for _, group in packages[:len(symbols) - 1]:
        bits.update(group)
    return dict(bits)


def tree_of(data, limit):
    """(description, symbol -> (code, bits)), or None where this simple writer has none."""
    counts = collections.Counter(data)
    if len(counts) < 2 or max(counts) > 128:
        return None
    bits = code_lengths(counts, limit)
    top = max(bits.values())
    weight = {s: top + 1 - b for s, b in bits.items()}
    codes, at = {}, 0
    for s in sorted(weight, key=lambda s: (weight[s], s)):
        codes[s] = (at >> (weight[s] - 1), bits[s])
        at += 1 << (weight[s] - 1)
    assert at == 1 << top
    listed = [weight.get(s, 0) for s in range(max(weight))]
    listed += [0] * (len(listed) % 2)
    direct = bytes(a << 4 | b for a, b in zip(listed[0::2], listed[1::2]))
    return bytes([127 + max(weight)]) + direct, codes


def huffman_stream(data, codes):
    value = 1
    total = 1
    for s in data:
        code, bits = codes[s]
        value, total = value << bits | code, total + bits
    return value.to_bytes(-(-total // 8), 'little')


def huffman_block(data, tree, with_tree):
    description, codes = tree
    if not set(data) <= set(codes):
        return None
    n = len(data) // 4
    streams = [huffman_stream(data[i * n:i * n + n], codes) for i in range(4)]
    body = (description if with_tree else b'') + struct.pack('<3H', *map(len, streams[:3])) + b''.join(streams)
    kind = 2 if with_tree else 3
    if len(data) < 16384:
        head = (kind | 2 << 2 | len(data) << 4 | len(body) << 18).to_bytes(4, 'little')
    else:
        head = (kind | 3 << 2 | len(data) << 4 | len(body) << 22).to_bytes(5, 'little')
    content = head + body + b'\0'  # no sequences
    return content if len(content) < len(data) else None


def raw_frame(data, checksum=True, short=False):
    """Blocks of 131072 bytes, the last shorter. Such a frame may lack the checksum. Short: the content size has as few
    bytes as may be."""
    size = len(data)
    flag, field = (0, '<B') if short and size < 256 else (1, '<H') if short and size < 65792 else (2, '<I')
    out = struct.pack('<IB', 0xFD2FB528, flag << 6 | 1 << 5 | checksum << 2)
    out += struct.pack(field, size - 256 if flag == 1 else size)
    for i in range(0, len(data), 131072):
        piece = data[i:i + 131072]
        out += ((i + len(piece) == len(data)) | len(piece) << 3).to_bytes(3, 'little') + piece
    return out + (struct.pack('<I', xxhash.xxh64_intdigest(data) & 0xFFFFFFFF) if checksum else b'')


def frame_of(blocks, L, run_bytes, limit, checksum=True, own_trees=True):
    """One frame of whole blocks, and their entries. A group of 8 has a tree of its own, or uses an earlier one."""
    data = b''.join(blocks)
    size = len(data)
    flag, field = (1, struct.pack('<H', size - 256)) if size < 65792 else (2, struct.pack('<I', size))
    out = struct.pack('<IB', 0xFD2FB528, flag << 6 | 1 << 5 | checksum << 2) + field
    entries, tree, told = [], None, False
    for b, block in enumerate(blocks):
        content = None
        if b % 8 == 0:
            told = False  # no block of types 2 and 3 in this group yet
        if len(set(block)) > 1 and tree and (told or not own_trees):
            content, kind = huffman_block(block, tree, False), 3
        if len(set(block)) > 1 and not content and not told:
            new = tree_of(b''.join(blocks[b:b // 8 * 8 + 8]), limit)
            content, kind = new and huffman_block(block, new, True), 2
            tree = new if content else tree
        told = told or content is not None
        if content is None and len(set(block)) == 1:
            content, kind = block[:1], 1
        if content is None:
            content, kind = block, 0
        last = b == len(blocks) - 1
        header = last | min(kind, 2) << 1 | (L if kind == 1 else len(content)) << 3
        out += header.to_bytes(3, 'little') + content
        longest = max(bits for _, bits in tree[1].values()) if kind > 1 else 0
        entries.append(struct.pack('<HBB4H', len(content), kind, longest, *run_bytes[4 * b:4 * b + 4]))
    return out + (struct.pack('<I', xxhash.xxh64_intdigest(data) & 0xFFFFFFFF) if checksum else b''), entries


def frames(streams, blocks, level, blocks_a_frame=16, limit=11, checksum=True, own_trees=True):
    import writer
    starts = [0]
    for s in streams:
        starts.append(starts[-1] + len(s))
    joined = b''.join(streams)
    out, entries, at = [], [], 0

    def ordinary(to):
        if to > at:
            out.append((writer.zstd_frame(joined[at:to], level), to - at))
    for number, lanes, r, lengths in blocks:
        L, place = 4 << r, starts[number]
        for count, run_bytes in zip(lanes, lengths):
            whole = count // L
            if whole:
                ordinary(place)
                for b in range(0, whole, blocks_a_frame):
                    some = min(blocks_a_frame, whole - b)
                    cut = [joined[place + (b + i) * L:place + (b + i + 1) * L] for i in range(some)]
                    frame, listed = frame_of(cut, L, run_bytes[4 * b:], limit, checksum, own_trees)
                    out.append((frame, some * L))
                    entries += listed
                at = place + whole * L
            if count % L:
                entries.append(struct.pack('<HBB4H', 0, 4, 0, *(run_bytes[4 * whole:] + [0] * 4)[:4]))
            place += count
        ordinary(place)
        at = place
        if streams[number + 1]:
            at = place + len(streams[number + 1])
            out.append((raw_frame(joined[place:at]), at - place))
    ordinary(len(joined))
    return out, entries
