# SPDX-License-Identifier: Apache-2.0
"""What a power cut can leave on the disk, given what a program asked of it (power_disk.py).

The rules, those of ALICE (Pillai and others, "All File Systems Are Not Created Equal", OSDI 2014) for a file system that promises
no more than POSIX, and those of CrashMonkey and ACE (Mohan and others, "Finding Crash-Consistency Bugs with Bounded Black-Box Crash
Testing", OSDI 2018) for where to cut:

- What a barrier covers is on the disk once the barrier has returned: fsync of a file covers its data and its size, fsync of
  a folder its entries, syncfs all. fsync of a file covers no name of it. Nothing else makes anything last: not close, rename,
  or time.
- Of all the rest any subset may be there. A write is torn at each border of 4096 bytes. The size of a file is apart from its data:
  a block that is missing inside the size reads as zeros, or as what lay on the disk there before; data beyond the size is not seen.
- What one call does to names happens at once or not at all: rename, link, unlink, mkdir. Different calls are independent,
  also in one folder.
- Where two things change the same place, the later one wins.

Between two barriers all that is possible at an earlier moment is possible at the last one too, because a subset may leave out the
end. So power is cut just before each barrier returns, and after the end.
"""
import hashlib
import itertools
import random

from power_disk import Entries, File, Folder, Resize, Write

BLOCK = 4096
OLD_BYTES = b"\xa5"  # what lay on the disk before


class Cut:
    """One moment: what is on the disk for certain, and what may be. `at_end`: after the program has ended."""

    def __init__(self, operations, barriers, until):
        self.at_end = until is None
        past = [barrier for barrier in barriers if until is None or barrier.end < until.end]
        begun = [operation for operation in operations if until is None or operation.begin < until.end]
        self.certain = {operation for operation in begun if any(barrier.covers(operation) for barrier in past)}
        self.names = [operation for operation in begun if operation not in self.certain and isinstance(operation, Entries)]
        self.data = list(itertools.chain.from_iterable(
            atoms_of(operation) for operation in begun if operation not in self.certain and not isinstance(operation, Entries)))
        self.in_order = sorted(begun, key=lambda operation: operation.end)


def atoms_of(operation):
    """The parts that a disk writes at once."""
    if isinstance(operation, Resize):
        return [operation]
    first, end = operation.offset, operation.offset + len(operation.data)
    borders = [first, *range(first - first % BLOCK + BLOCK, end, BLOCK), end]
    return [Write(operation.begin, operation.end, operation.file, a, operation.data[a - first:b - first])
            for a, b in itertools.pairwise(borders)]


def cuts(disk):
    for barrier in sorted(disk.barriers, key=lambda barrier: barrier.end):
        yield Cut(disk.operations, disk.barriers, barrier)
    yield Cut(disk.operations, disk.barriers, None)


class State:
    """The files after the cut: paths and their bytes, None for a folder."""

    def __init__(self, cut, files, links):
        self.at_end, self.files, self.links = cut.at_end, files, links

    def key(self):
        digests = ((path, data if data is None else hashlib.blake2b(data, digest_size=16).digest())
                   for path, data in sorted(self.files.items()))
        return self.at_end, tuple(digests)

    def shape(self):
        """The names alone."""
        return self.at_end, tuple(sorted(self.files))


def states(disk, limit, seed):
    """All states if there are few; else a sample of about `limit` for each cut. None comes twice."""
    seen, chooser = set(), random.Random(seed)
    for cut in cuts(disk):
        certain_data = {}
        for operation in cut.in_order:
            if operation in cut.certain and not isinstance(operation, Entries):
                certain_data.setdefault(operation.file, []).append(operation)
        left = limit
        for names in subsets(cut.names, max(16, limit // 16), chooser):
            tree = entries_after(disk, cut, set(names))
            shown = {at for at in tree.values() if isinstance(at, File)}
            data = [atom for atom in cut.data if atom.file in shown]
            for chosen, filler in data_choices(data, max(8, left // 2), chooser):
                state = state_of(cut, tree, certain_data, data, chosen, filler)
                if state.key() not in seen:
                    seen.add(state.key())
                    left -= 1
                    yield state


def subsets(items, limit, chooser):
    """All subsets if there are at most `limit`. Else prefixes; one or two left out; one alone; then any, up to the limit."""
    count = len(items)
    if count < 20 and 1 << count <= limit:
        for bits in range(1 << count):
            yield [item for at, item in enumerate(items) if bits >> at & 1]
        return
    yield from (items[:at] for at in range(count + 1))
    yield from ([item for item in items if item is not left_out] for left_out in items)
    yield from ([item] for item in items)
    left = limit - 3 * count - 1
    pairs = list(itertools.combinations(range(count), 2))
    for a, b in pairs if len(pairs) <= left // 2 else chooser.sample(pairs, max(0, left // 2)):
        yield items[:a] + items[a + 1:b] + items[b + 1:]
        left -= 1
    for _ in range(max(0, left)):
        share = chooser.random()
        yield [item for item in items if chooser.random() < share]


def data_choices(atoms, limit, chooser):
    """Which atoms are there, and with what missing blocks read."""
    if not atoms:
        yield set(), b"\0"
        return
    sizes, blocks = ([atom for atom in atoms if isinstance(atom, kind)] for kind in (Resize, Write))
    yield set(sizes), b"\0"
    yield set(sizes), OLD_BYTES
    yield set(blocks), b"\0"
    for chosen in subsets(atoms, limit, chooser):
        yield set(chosen), chooser.choice((b"\0", OLD_BYTES))


def entries_after(disk, cut, chosen):
    """Path to File or Folder, for all that have a name."""
    after = {}
    for operation in cut.in_order:
        if isinstance(operation, Entries) and (operation in cut.certain or operation in chosen):
            for (folder, name), at in operation.changes.items():
                after.setdefault(folder, dict(folder.before))[name] = at
    tree = {}

    def walk(folder, prefix):
        for name, at in after.get(folder, folder.before).items():
            if at is not None:
                tree[prefix + name] = at
            if isinstance(at, Folder):
                walk(at, prefix + name + "/")

    walk(disk.top, "")
    return tree


def state_of(cut, tree, certain_data, atoms, chosen, filler):
    files, links, own, pending = {}, {}, {}, {}
    for atom in atoms:
        pending.setdefault(atom.file, []).append(atom)
    for path, at in tree.items():
        if isinstance(at, Folder):
            files[path] = None
            continue
        if at not in own:
            there = [atom for atom in pending.get(at, []) if atom in chosen]
            missing = [atom for atom in pending.get(at, []) if atom not in chosen and isinstance(atom, Write)]
            own[at] = content_after(at, missing, certain_data.get(at, []) + there, filler)
        files[path] = own[at]
        links.setdefault(at, []).append(path)
    return State(cut, files, [paths for paths in links.values() if len(paths) > 1])


def content_after(file, missing, there, filler):
    """The bytes of a file: first what missing blocks read as where nothing was before, then what is there, in order."""
    data, size = bytearray(), len(file.before)

    def put(offset, piece):
        data.extend(bytes(max(0, offset + len(piece) - len(data))))
        data[offset:offset + len(piece)] = piece

    for block in missing:
        put(block.offset, filler * len(block.data))
    put(0, file.before)
    for change in there:
        if isinstance(change, Write):
            put(change.offset, change.data)
        else:
            size = change.size
            del data[size:]
    data.extend(bytes(max(0, size - len(data))))
    return bytes(data[:size])


# ---- Programs that are wrong: what the laws must find

def without_barriers(disk, kind):
    """The program without fsync of files or of folders, or without both."""
    disk.barriers = [barrier for barrier in disk.barriers if not isinstance(barrier.of, kind)]


def named_before_synced(disk):
    """The program gives each file its last name before it syncs the file."""
    for barrier in disk.barriers:
        if not isinstance(barrier.of, File):
            continue
        for operation in disk.operations:
            if isinstance(operation, Entries) and operation.begin > barrier.end and barrier.of in operation.changes.values():
                operation.begin = operation.end = barrier.begin - 0.5


def removed_before_synced(disk):
    """The program removes sources before it syncs the folder of the result: it syncs folders last."""
    last = max(operation.end for operation in disk.operations) + 1
    for barrier in disk.barriers:
        if isinstance(barrier.of, Folder):
            barrier.begin = barrier.end = last
