# SPDX-License-Identifier: Apache-2.0
"""Readers of a part of a file, by formats/FORMAT.md, section 5: "From the end", "Readers that begin at INDX",
and in order.

A part counts in the original of all streams.
"""
import struct
import strict
from strict import NONE, Bad, Seen, corr, record, up8, xxh64, zero


class Usage(Exception):
    """The part ends after the original."""


def record_before(file, end, at, allowed, notes=False):
    """A record that ends at or before `end`. The file goes on there, so a longer one contradicts what led to
    it."""
    try:
        return record(file[:end], at, allowed, notes)
    except strict.Truncated as e:
        raise strict.Corrupt(str(e))


# From the end


def end_before(file, behind):
    """(tag, numbers) of the END that ends there. Its numbers agree with one another."""
    _, whole, tag = record(file[:behind], behind - 104, (b'END ', ), notes=False)
    size, chunks, original, last_index, chain = struct.unpack_from('<5Q', whole, 32)
    corr(size >= 168 and original != NONE, 'END: stream bytes or original')
    corr(chunks <= original and (chunks == 0) == (original == 0) == (last_index == NONE), 'END: totals')
    corr(last_index == NONE or last_index < size - 104, 'END: last INDX')
    zero(whole[89:96], 'END')
    return tag, size, chunks, original, last_index, chain


class Found:
    """A stream whose HDR and END were found."""
    def __init__(self, file, behind):
        self.tag, size, self.chunks, self.original, self.last_index, self.chain = end_before(file, behind)
        corr(size <= behind, 'END: stream bytes')
        self.begin, self.end_at = behind - size, size - 104
        _, self.header, _ = record_before(file, behind - 104, self.begin, (b'HDR ', ))
        self.size, self.C, self.largest = strict.judge_header(self.header)
        corr(self.size in (NONE, self.original), 'HDR: original size')


def last_stream(file, limit):
    content = len(bytes(file[:limit]).rstrip(b'\0'))
    for behind in range(max(content, 104), min(limit, content + 104) + 1):
        try:
            end_before(file, behind)
        except Bad:
            continue
        return Found(file, behind)
    raise strict.Truncated('no END')


def streams_from_the_end(file):
    found, limit = [], len(file)
    while limit > 0:
        found.append(last_stream(file, limit))
        limit = found[-1].begin
    corr(found, 'no stream')
    return found[::-1]


# INDX


def entries_of(whole, expected=None):
    """(place, first chunk, part before, [(place, offset, digest, D, stored, plan)], flag) of an INDX whose
    fields agree with one another, and that stands at `expected` in its stream, if that is known."""
    place, first, before, entries, plans, size, flag, digest_kind, z = struct.unpack_from(
        '<QQQIIIBBH', whole, 32)
    corr(expected in (None, place), 'INDX: place')
    corr(before == NONE and first == 0 or before < place and first > 0, 'INDX: first or before')
    corr(1 <= entries <= 65536 and 1 <= plans <= entries and size <= 1 << 20, 'INDX: counts')
    strict.unsup(flag <= 1 and digest_kind == 1 and z == 0, 'INDX: flag, digest kind or zero')
    at = 72 + up8(size)
    corr(at + 40 * entries + 8 <= len(whole), 'INDX: counts beyond T')
    table, end = [], 72
    for _ in range(plans):
        behind = strict.shape(whole, end, 72 + size)[3]
        table.append(whole[end:behind])
        end = behind
    corr(end == 72 + size, 'INDX: bytes of plans')
    zero(whole[end:at], 'INDX: pad')
    listed = []
    for i in range(entries):
        *entry, plan = struct.unpack_from('<QQQIIH', whole, at + 40 * i)
        zero(whole[at + 40 * i + 34:at + 40 * i + 40], 'INDX: an entry')
        corr(plan < plans and 1 <= entry[3] <= 1 << 30 and entry[1] + entry[3] < NONE,
             'INDX: a plan, D or offset')
        corr(entry[0] + entry[4] <= place, 'INDX: a chunk after it')
        if listed:
            last = listed[-1]
            corr(entry[0] >= last[0] + last[4] and entry[1] == last[1] + last[3], 'INDX: entries with gaps')
        listed.append((*entry, table[plan]))
    return place, first, before, listed, flag


def part_of(file, stream, place, limit):
    """(first chunk, part before, length, entries) of the INDX there."""
    _, whole, tag = record_before(file, stream.begin + limit, stream.begin + place, (b'INDX', ))
    corr(tag == stream.tag, 'INDX: tag')
    _, first, before, listed, flag = entries_of(whole, place)
    corr((flag == 1) == (place == stream.last_index), 'INDX: flag')
    return first, before, len(whole), listed


def step_over_notes(file, stream, at, until):
    while at < until:
        _, whole, tag = record_before(file, stream.begin + until, stream.begin + at, (), notes=True)
        corr(tag == stream.tag and struct.unpack_from('<Q', whole, 32)[0] == at, 'a note')
        at += len(whole)
    corr(at == until, 'records overlap')


def index_of(file, stream):
    """[(place, offset, digest, D, stored, plan, number, chain)] of a stream, all of it judged."""
    places, place, limit = [], stream.last_index, stream.end_at
    while place != NONE:
        places.append(place)
        _, before, _, listed = part_of(file, stream, place, limit)
        limit, place = listed[0][0], before
    chunks, original, chain, at = [], 0, xxh64(b''), len(stream.header)
    for place in places[::-1]:
        first, _, length, listed = part_of(file, stream, place, stream.end_at)
        corr(first == len(chunks), 'INDX: first')
        for entry in listed:
            corr(entry[1] == original and 1 <= entry[3] <= stream.C, 'INDX: original')
            step_over_notes(file, stream, at, entry[0])
            at = entry[0] + entry[4]
            chunks.append(entry + (len(chunks), chain))
            original += entry[3]
            chain = xxh64(struct.pack('<QQ', chain, entry[2]))
        step_over_notes(file, stream, at, place)
        at = place + length
    digest = [struct.pack('<Q', chunks[0][2])] if chunks else []
    corr(xxh64(stream.header + b''.join(digest)) == stream.tag, 'tag')
    corr((len(chunks), original, chain) == (stream.chunks, stream.original, stream.chain), 'INDX: totals')
    step_over_notes(file, stream, at, stream.end_at)
    return chunks


def chunk_of(file, stream, entry, part):
    """The original of a chunk, or None where the part has no frames. It may not reach beyond the bytes of its
    entry."""
    place, offset, digest, D, stored, plan, number, chain = entry
    at = stream.begin + place
    _, whole, tag = record_before(file, at + stored, at, (b'CHK ', ))
    corr(tag == stream.tag, 'tag')
    chunk = strict.ChunkRecord(whole, stream.C, stream.largest, stream.size, (place, number, offset, chain),
                               lambda plan: True)
    corr((chunk.digest, chunk.D, chunk.stored, chunk.plan) == (digest, D, stored, plan),
         'CHK: another one is listed')
    return chunk.decode(file, at + len(whole)) if part.frames else None


# Parts


class Done(Exception):
    pass


class Part(Seen):
    """Of each chunk what lies in the part. Nothing after the part is looked at. Without frames: only records
    are judged, and nothing is delivered."""
    def __init__(self, offset, count, frames=True):
        super().__init__()
        self.frames, self.begin, self.end = frames, offset, NONE if count is None else offset + count
        self.needed = offset if count is None else self.end

    def wants(self, D):
        return self.frames and self.total + D > self.begin

    def take(self, data, D):
        if data is not None:
            self.pieces.append(data[max(self.begin - self.total, 0):self.end - self.total])
        self.total += D
        if self.total >= self.end:
            raise Done


def through_index(file, part):
    """A stream's index is judged when its first chunk is needed. False if no index leads to the part."""
    try:
        streams = streams_from_the_end(file)
        while streams and part.total + streams[0].original <= part.begin and (streams[0].original
                                                                              or part.total < part.begin):
            part.total += streams.pop(0).original
        first = index_of(file, streams[0]) if streams else []
    except Bad:
        part.total = 0
        return False
    for i, stream in enumerate(streams):
        for entry in index_of(file, stream) if i else first:
            in_part = part.total + entry[3] > part.begin
            part.take(chunk_of(file, stream, entry, part) if in_part else None, entry[3])
    return True


def records_through_index(file, offset, count):
    """Whether the index leads to the whole part, and all records of its chunks are right."""
    part = Part(offset, count, False)
    try:
        return through_index(memoryview(bytes(file)), part) and part.total >= part.needed
    except Done:
        return True
    except Bad:
        return False


def read(file, part, pipe=False):
    """The bytes of the part; as far as they were delivered, part.original() has them after an error too."""
    file = memoryview(bytes(file))
    try:
        if pipe or not through_index(file, part):
            strict.read(file, part)
    except Done:
        pass
    if part.total < part.needed:
        raise Usage('the part ends after the original')
    return part.original()
