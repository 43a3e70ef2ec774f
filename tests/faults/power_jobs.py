# SPDX-License-Identifier: Apache-2.0
"""The jobs that power_loss.py cuts the power of, and the law that each must keep:

    the source is there and whole, or the target is there under its name and whole; under its name a target is never half written;
    a target that is replaced is the old one or the new one; after the program has ended without an error, the target is there
"""
import dataclasses
import os
import pathlib
import re
import shutil
import subprocess

HIDDEN = re.compile(r"(?P<folder>(?:.*/)?)\.(?P<name>[^/]+)-[A-Za-z0-9]{6}\.tdz\.(?P<kind>rm|tmp)")


class Reader:
    """Decodes with the program, each content once."""

    def __init__(self, tdz, work):
        self.tdz, self.path, self.known = tdz, work / "judged.tdz", {}

    def decodes_to(self, stored, original):
        if stored not in self.known:
            self.path.write_bytes(stored)
            decoded = subprocess.run([self.tdz, "-dc", self.path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
            self.known[stored] = decoded.stdout if decoded.returncode == 0 else None
        return self.known[stored] == original


@dataclasses.dataclass
class Pair:
    """A source and its target. `result` is what the target must hold; of a .tdz, what it must decode to. `last_line`: the target is
    a report, and whole if it ends with this. `source` is None if there is nothing but the target (standard input, a report).
    `in_place`: both have one name. `may_be_hidden`: at the begin the source has its hidden name already."""

    source: str | None
    target: str
    result: bytes | None = None
    last_line: bytes | None = None
    in_place: bool = False
    may_be_hidden: bool = False

    def is_whole(self, found, reader):
        if self.last_line is not None:
            return re.search(self.last_line + rb"\Z", found) is not None
        return reader.decodes_to(found, self.result) if self.target.endswith(".tdz") else found == self.result


@dataclasses.dataclass
class Run:
    """A program and its words; None is tdz. `injected` are faults (strace), one of which may kill it; `environment` is for the
    shim. `codes` are the exit codes that are right."""

    words: list
    program: str | None = None
    injected: tuple = ()
    environment: dict = dataclasses.field(default_factory=dict)
    codes: tuple = (0,)


@dataclasses.dataclass
class Job:
    name: str
    files: dict
    runs: list
    pairs: list
    repeated: list | None = None  # the words that finish the job after a power cut; None: not tried
    removes: bool = False
    ends_well: bool = True  # at the end all targets must be there
    unlisted: str | None = None  # a folder that this user may change but not list

    def lay_out(self, root):
        shutil.rmtree(root, ignore_errors=True)
        root.mkdir(parents=True)
        root.chmod(0o777)
        for name, data in self.files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            if data is None:
                (root / name).mkdir(exist_ok=True)
            else:
                (root / name).write_bytes(data)

    def close_folder(self, root):
        """Root may list every folder, so there the files become another user's."""
        for path in (root, *root.rglob("*")):
            if os.geteuid() == 0:
                os.chown(path, NOBODY, NOBODY)
        (root / self.unlisted).chmod(0o300)

    def strangers(self, files):
        """Names that nobody may leave."""
        own = {name for pair in self.pairs for name in (pair.source, pair.target)} | set(self.files)
        folders = {str(parent) for name in own if name for parent in pathlib.PurePath(name).parents}
        for path in files:
            hidden = HIDDEN.fullmatch(path)
            of = hidden["folder"] + hidden["name"] if hidden else path
            if of not in own | folders:
                yield path

    def fault(self, state, reader):
        """What is wrong in this state, or nothing."""
        for stranger in self.strangers(state.files):
            return f"left behind: {stranger}"
        for pair in self.pairs:
            if fault := self.fault_of(pair, state, reader):
                return fault
        return None

    def fault_of(self, pair, state, reader):
        old, target = self.files.get(pair.target), state.files.get(pair.target)
        whole = target is not None and pair.is_whole(target, reader)
        if target is not None and not whole and target != old:
            return f"{pair.target} is half written"
        if old is not None and target is None:
            return f"{pair.target}: the old target is gone, and no new one is there"
        if state.at_end and self.ends_well and not whole:
            return f"the program has ended without an error, but {pair.target} is not on the disk"
        if pair.source is None or pair.in_place:
            return None
        sources = {path: data for path, data in state.files.items() if path == pair.source or is_hidden_source(path, pair.source)}
        for path, data in sources.items():
            if data != self.files[pair.source]:
                return f"{path}, the source, is not whole"
        has_source = pair.source in sources or (pair.may_be_hidden and sources)
        if not has_source and not whole:
            return f"neither {pair.source} nor {pair.target} is there" + (f", only {set(sources)}" if sources else "")
        return None


NOBODY = 65534


def is_hidden_source(path, source):
    found = HIDDEN.fullmatch(path)
    return found is not None and found["kind"] == "rm" and found["folder"] + found["name"] == source


# What is told needs no search, which takes far longer than all the rest.
STEPS = ["--chunk", "64KiB", "--type", "u16x1", "--order", "1", "--layout", "planes"]


def numbers(count, first=0):
    return b"".join(b"%d\n" % (i * i) for i in range(first, first + 30000))[:count]


class Made:
    """What the jobs begin with."""

    def __init__(self, tdz, work):
        version = subprocess.run([tdz, "--version"], stdout=subprocess.PIPE, check=True).stdout
        self.linux_calls = b"built without the calls of Linux" not in version
        self.data, self.short = numbers(100000), [numbers(9000 + 4000 * n, n) for n in range(4)]
        self.packed = self.pack(tdz, self.data)
        self.short_packed = [self.pack(tdz, data) for data in self.short]
        self.zeros = bytes(70000) + self.data[:30000] + bytes(20000)
        self.zeros_packed = self.pack(tdz, self.zeros)
        protected = bytearray(self.pack(tdz, self.data, "--protect", "5"))
        protected[9000:9040] = bytes(40)
        self.hurt = bytes(protected)
        broken = bytearray(self.packed)
        broken[len(broken) // 4:len(broken) // 4 + 40] = bytes(40)
        self.broken = bytes(broken)
        (work / "broken.tdz").write_bytes(self.broken)
        subprocess.run([tdz, "recover", "-f", "broken.tdz", "-o", "part"], cwd=work, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, check=False)
        self.part = (work / "part").read_bytes()

    @staticmethod
    def pack(tdz, data, *more):
        return subprocess.run([tdz, "-c", *STEPS, *more], input=data, stdout=subprocess.PIPE, check=True).stdout


def jobs(made):
    """Jobs of one run on any file system."""
    yield from one_file(made)
    yield from many_files(made)
    yield from other_verbs(made)


def one_file(made):
    data, packed = made.data, made.packed
    compress, restore = ["-T1", *STEPS, "data"], ["-d", "-T1", "data.tdz"]
    to, back = Pair("data", "data.tdz", data), Pair("data.tdz", "data", data)

    def job(name, words, files, pair, removes=False, repeated=None):
        return Job(name, files, [Run(words)], [pair], repeated or ["-f", *words], removes)

    yield job("compress", compress, {"data": data}, to)
    yield job("compress --rm", ["--rm", *compress], {"data": data}, to, True)
    yield job("compress --rm -f over an old target", ["--rm", "-f", *compress], {"data": data, "data.tdz": b"old"}, to, True)
    yield job("compress --rm --verify -T3", ["--rm", "--verify", "-T3", *compress[1:]], {"data": data}, to, True)
    yield job("decompress", restore, {"data.tdz": packed}, back)
    yield job("decompress --rm", ["--rm", *restore], {"data.tdz": packed}, back, True)
    yield job("decompress --rm -f -T3 over an old target", ["-d", "-f", "--rm", "-T3", "data.tdz"],
              {"data.tdz": packed, "data": b"old"}, back, True)
    yield job("decompress --sparse --rm", ["--rm", "--sparse", *restore], {"data.tdz": made.zeros_packed},
              Pair("data.tdz", "data", made.zeros), True)


def many_files(made):
    short, packed = made.short, made.short_packed
    names = ["one/a", "one/b", "one/two/c", "d"]
    tree = dict(zip(names, short))
    stored = {name + ".tdz": data for name, data in zip(names, packed)}
    pairs = [Pair(name, name + ".tdz", tree[name]) for name in names]
    back = [Pair(name + ".tdz", name, tree[name]) for name in names]
    inside = [Pair(name, "out/" + name + ".tdz", tree[name]) for name in names]
    back_inside = [Pair(name + ".tdz", "out/" + name, tree[name]) for name in names]

    def job(name, words, files, its_pairs, removes=True):
        return Job(name, files, [Run(words)], its_pairs, ["-f", *words], removes)

    yield job("compress -r --rm", ["-T1", *STEPS, "-r", "--rm", "one", "d"], tree, pairs)
    yield job("decompress -r --rm", ["-d", "-T1", "-r", "--rm", "one", "d.tdz"], stored, back)
    yield job("compress -r --output-dir, a new folder", ["-T1", *STEPS, "-r", "--output-dir", "out", "one", "d"], tree, inside,
              False)
    yield job("compress -r --rm --output-dir, a new folder", ["-T1", *STEPS, "-r", "--rm", "--output-dir", "out", "one", "d"],
              tree, inside)
    yield job("decompress -r --rm --output-dir, an old folder", ["-d", "-T1", "-r", "--rm", "--output-dir", "out", "one", "d.tdz"],
              {**stored, "out": None}, back_inside)
    yield job("compress --rm of several names", ["-T1", *STEPS, "--rm", *names], tree, pairs)
    listed = {**tree, "list": "".join(name + "\n" for name in names).encode()}
    yield job("compress --rm --filelist", ["-T1", *STEPS, "--rm", "--filelist", "list"], listed, pairs)


def other_verbs(made):
    data, packed = made.data, made.packed
    yield Job("protect in place", {"data.tdz": packed}, [Run(["protect", "data.tdz"])],
              [Pair("data.tdz", "data.tdz", data, in_place=True)], ["protect", "data.tdz"])
    yield Job("protect in place, other parity", {"data.tdz": packed}, [Run(["protect", "data.tdz"]),
              Run(["protect", "--protect", "20", "data.tdz"])], [Pair("data.tdz", "data.tdz", data, in_place=True)],
              ["protect", "data.tdz"])
    yield Job("protect -o", {"data.tdz": packed}, [Run(["protect", "data.tdz", "-o", "safe.tdz"])],
              [Pair("data.tdz", "safe.tdz", data)], ["protect", "-f", "data.tdz", "-o", "safe.tdz"])
    hurt = Pair("data.tdz", "data", made.part)
    words = ["recover", "data.tdz", "-o", "data", "--map", "map"]
    recovered = [hurt, Pair(None, "map", last_line=rb"\n}\n")]
    yield Job("recover --map", {"data.tdz": made.broken}, [Run(words, codes=(2,))], recovered, [*words, "-f"])
    yield Job("recover -f over an old target", {"data.tdz": made.broken, "data": b"old"}, [Run([*words[:4], "-f"], codes=(2,))],
              [hurt], [*words[:4], "-f"])
    words = ["recover", "--archive", "data.tdz", "-o", "healed.tdz"]
    yield Job("recover --archive", {"data.tdz": made.hurt}, [Run(words)], [Pair("data.tdz", "healed.tdz", data)], [*words, "-f"])
    yield Job("recover --archive over an old target", {"data.tdz": made.hurt, "healed.tdz": b"old"}, [Run([*words, "-f"])],
              [Pair("data.tdz", "healed.tdz", data)], [*words, "-f"])
    words = ["roundtrip", "-T1", "--backends", "cpu", "--words", "2", "--tuples", "1", "--orders", "1", "--layouts", "interleaved",
             "-f", "-o", "report", "data"]
    yield Job("a report of roundtrip", {"data": data, "report": b"old"}, [Run(words)],
              [Pair(None, "report", last_line=rb"1 cell, 1 passed, 0 failed\n")], words)


# ---- Jobs after an accident: what one run left is where the next one begins

REMOVE_RESULT = [Run(["data.tdz"], "rm"), Run(["-f", "."], "sync")]


def accidents(made):
    """Here the shim takes RENAME_NOREPLACE away, in some jobs, because a fault may hide behind it."""
    data, compress = made.data, ["-T1", *STEPS, "--rm", "data"]
    shown = Pair("data", "data.tdz", data, may_be_hidden=True)
    no_flag = {"TDZ_NO_NOREPLACE": "1"}
    removal = 1 if made.linux_calls else 2  # without them the first unlinkat takes the hidden name from the result
    killed_hidden = Run(compress, injected=(f"unlinkat:signal=KILL:when={removal}",), codes=(-9, 137))
    for name, environment in (("", {}), (", no RENAME_NOREPLACE", no_flag)):
        yield Job(f"a hidden source whose result was removed{name}", {"data": data},
                  [killed_hidden, *REMOVE_RESULT, Run(compress, environment=environment)], [shown], ["-f", *compress], True)
        yield Job(f"a source that cannot be removed{name}", {"data": data},
                  [Run(compress, environment={"TDZ_FAULT": f"unlink:{removal}:13", **environment}, codes=(3,))],
                  [Pair("data", "data.tdz", data)], ["-f", *compress], True)
    killed_linked = Run(["-f", *compress], injected=("unlinkat:signal=KILL:when=1",), environment=no_flag, codes=(-9, 137))
    yield Job("a source with two names", {"data": data},
              [killed_hidden, *REMOVE_RESULT, killed_linked, Run(compress)], [shown], ["-f", *compress], True)
    yield Job("the folder cannot be synced", {"data": data}, [Run(compress, injected=("fsync:error=EIO:when=2",), codes=(3,))],
              [Pair("data", "data.tdz", data)], ["-f", *compress], True, ends_well=False)
    yield from folders(made)


def folders(made):
    tree = {"one/a": made.short[0], "one/two/b": made.short[1]}
    pairs = [Pair(name, "out/" + name + ".tdz", data) for name, data in tree.items()]
    words = ["-T1", *STEPS, "-r", "--rm", "--output-dir", "out", "one"]
    for when in (1, 2):
        killed = Run(words, injected=(f"fsync:signal=KILL:when={when}",), codes=(-9, 137))
        yield Job(f"a run was killed after mkdir {when}", tree, [killed, Run(words)], pairs, ["-f", *words], True)
    if not made.linux_calls:
        return
    yield Job("a folder that cannot be listed", {"data": made.short[0], "in": None},
              [Run(["-T1", *STEPS, "--rm", "--output-dir", "in/out", "data"])],
              [Pair("data", "in/out/data.tdz", made.short[0])], None, True, unlisted="in")
