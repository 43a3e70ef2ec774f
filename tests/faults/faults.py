#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which files are left when the n-th call fails, or when the program is killed there, for every n?
faults.py [--kills] TDZ [SHIM]

Every job runs once for each call that it makes, and that call fails. The shim (shim.cpp) fails calls of the C library. strace
fails system calls; it needs no other build, and also fails calls that no list names. After a run either everything is done, with
exit code 0; or the exit code is the documented one, the source exists, the target is absent (or still the old file), and the
folder holds nothing else. For recover, bytes that cannot be read are damage: exit code 2, and zeros in place of chunks. Tests a
sample of the calls; with TDZ_TEST_FULL=1 all of them. With SHIM the shim is used; without it strace, or nothing, with exit code
77, if strace may not trace.

With --kills, strace kills the program at the begin of each call, from the first fsync to the end: while the result gets its
name, and while --rm removes the source. Then the source is there, under its name or the hidden one, or the target is there
and whole. The same command, with -f, then does everything, and leaves nothing else.
"""
import collections
import errno
import functools
import itertools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

FULL = os.environ.get("TDZ_TEST_FULL") == "1"
PASSING = ("EINTR", "short")  # happens once, and the program continues

IO, MEMORY, NONE = {0, 3}, {0, 4}, {0}


class Shim:
    """Fails calls of the C library, and allocations. The mark file tells whether a fault happened."""

    name = "shim"
    dense = 6  # every call up to this number is tried; after it a sample
    every = 1  # in a sample, every so many jobs are tried
    # the call, what happens to it, and the exit codes that are allowed then
    FAULTS = [
        *[(call, error, IO) for call in ("read", "pread") for error in ("EIO",)],
        *[(call, error, IO) for call in ("write", "pwrite") for error in ("ENOSPC", "EIO", "EDQUOT")],
        *[(call, how, NONE) for call in ("read", "pread", "write", "pwrite") for how in PASSING],
        ("fsync", "EIO", IO), ("fsync", "ENOSPC", IO), ("link", "EIO", IO), ("link", "ENOSPC", IO), ("rename", "EIO", IO),
        ("rename", "EDQUOT", IO), ("open", "EIO", IO), ("open", "EMFILE", IO), ("close", "EIO", IO), ("fchmod", "EPERM", NONE),
        ("unlink", "EACCES", IO), ("thread", "EAGAIN", NONE), ("malloc", "ENOMEM", MEMORY),
    ]

    def __init__(self, library, mark):
        self.library, self.mark = library, mark

    def faults(self, job):
        del job
        return self.FAULTS

    def inject(self, call, nth, lasting, how):
        """The words before the program, and its environment."""
        code = 0 if how == "short" else getattr(errno, how)
        return [], {"LD_PRELOAD": self.library, "TDZ_FAULT": f"{call}:{nth}{lasting}:{code}", "TDZ_FAULT_MARK": str(self.mark)}

    def struck(self):
        return self.mark.exists()

    def excuses(self, trial):
        del trial
        return False


class Strace:
    """Fails system calls of the program and its libraries, after they are loaded."""

    name = "strace"
    dense, every = 2, 3
    FAULTS = {
        **dict.fromkeys(("read", "pread64"), [("EIO", IO), ("EINTR", NONE)]),
        **dict.fromkeys(("write", "pwrite64"), [("ENOSPC", IO), ("EIO", IO), ("EDQUOT", IO), ("EINTR", NONE)]),
        **dict.fromkeys(("fsync", "linkat", "renameat"), [("EIO", IO), ("ENOSPC", IO)]),
        "openat": [("EIO", IO), ("EMFILE", IO)], "poll": [("EINTR", NONE)],
        # If nothing is known about a file, it is read like a pipe, and recover does not take a pipe.
        **dict.fromkeys(("lseek", "fstat", "newfstatat"), [("EIO", {*IO, 1})]),
        **dict.fromkeys(("mmap", "mprotect"), [("ENOMEM", MEMORY)]),
        **dict.fromkeys(("clone", "clone3"), [("EAGAIN", NONE)]),
    }
    # Calls by which a process starts, waits and ends. brk returns no error. A close that fails closes the descriptor all the
    # same, but under strace it stays open. The shim does both right.
    LEFT_ALONE = {"exit", "exit_group", "arch_prctl", "set_tid_address", "set_robust_list", "rseq", "futex", "gettid",
                  "rt_sigreturn", "restart_syscall", "brk", "close"}

    def __init__(self, tdz, work):
        self.tdz, self.work, self.mark = tdz, work, work / "trace"
        self.of_loader = {}

    @staticmethod
    def works():
        if shutil.which("strace") is None:
            return False
        return subprocess.run(["strace", "-qqq", "-o", "/dev/null", "true"], stderr=subprocess.DEVNULL, check=False).returncode == 0

    def faults(self, job):
        """Counts every call that the job makes."""
        folder = self.work / "watched"
        job.lay_out(folder)
        subprocess.run(["strace", "-f", "-qqq", "-o", self.mark, self.tdz, *job.words], cwd=folder, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=job.environment(), check=True)
        made = re.findall(r"^\d+ +(\w+)\(", self.mark.read_text(errors="replace"), re.MULTILINE)
        begin = made.index("set_tid_address")
        self.of_loader = collections.Counter(made[:begin])
        for call in sorted(set(made[begin:]) - self.LEFT_ALONE):
            for how, allowed in self.FAULTS.get(call, [("EIO", IO)]):
                yield call, how, allowed

    def inject(self, call, nth, lasting, how):
        nth += self.of_loader[call]
        # The program stops at this call alone, which takes half of the time. But then a clone3 passes unchanged.
        stops = [] if call == "clone3" else ["--seccomp-bpf"]
        return ["strace", "-f", *stops, "-qqq", "-o", str(self.mark), "-e", f"trace={call}",
                "-e", f"inject={call}:error={how}:when={nth}{lasting}"], {}

    def struck(self):
        return "(INJECTED)" in self.mark.read_text(errors="replace")

    def excuses(self, trial):
        """A fault in the loader: only the loader exits with this code."""
        return trial.code == 127


class Job:
    """A command in a folder of its own. `source` becomes `target`, and --rm removes `source`. A target may be a report about
    a failure; a report is whole if it ends with `last_line`."""

    def __init__(self, name, words, source, target, files, *, old=None, no_tmpfile=False, stays=(), last_line=None,
                 recovers=False):
        self.name, self.words, self.source, self.target = name, words, source, target
        self.files = dict(files)
        if old is not None:
            self.files[target] = old
        self.old, self.no_tmpfile, self.stays = old, no_tmpfile, set(stays)
        self.last_line, self.recovers = last_line, recovers

    def repeated(self):
        """The same command, over what the first one left."""
        return [self.words[0], "-f", *self.words[1:]]

    def lay_out(self, folder):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for name, content in self.files.items():
            (folder / name).write_bytes(content)

    def environment(self):
        return {"PATH": os.environ["PATH"], **({"TDZ_NO_TMPFILE": "1"} if self.no_tmpfile else {})}


def numbers():
    return b"".join(b"%d\n" % (i * i) for i in range(30000))[:200000]


def jobs(tdz, data):
    packed = subprocess.run([tdz, "-c", "--chunk", "64KiB", "--type", "u16"], input=data, stdout=subprocess.PIPE, check=True)
    packed = packed.stdout
    # A sample takes given steps, because a search takes three times as long as all the rest. One job searches.
    steps = ["--type", "u16"] if FULL else ["--type", "u16x1", "--order", "1", "--layout", "planes"]
    compress = ["compress", "--chunk", "64KiB", *steps, "--rm", "data"]
    yield Job("compress", ["-T1", *compress[1:]], "data", "data.tdz", {"data": data})
    yield Job("compress, 3 threads, verified", ["-T3", "--verify", *compress[1:]], "data", "data.tdz", {"data": data})
    yield Job("compress, found out", ["-T1", "--chunk", "64KiB", "--rm", "data"], "data", "data.tdz", {"data": data})
    yield Job("compress over an old target", ["-f", "-T1", *compress[1:]], "data", "data.tdz", {"data": data}, old=b"old")
    yield Job("compress without unnamed files", ["-T1", *compress[1:]], "data", "data.tdz", {"data": data}, no_tmpfile=True)
    yield Job("decompress", ["-d", "-T1", "--rm", "data.tdz"], "data.tdz", "data", {"data.tdz": packed})
    yield Job("decompress, 3 threads, old target, no unnamed files", ["-df", "-T3", "--rm", "data.tdz"], "data.tdz", "data",
              {"data.tdz": packed}, old=b"old", no_tmpfile=True)
    # Two chunks in two cells.
    roundtrip = ["--backends", "cpu", "--words", "2", "--tuples", "1-2", "--orders", "1", "--layouts", "interleaved"]
    yield Job("roundtrip", ["roundtrip", "-T1", *roundtrip, "--chunk", "100KiB", "-f", "-o", "report", "data"], "data", "report",
              {"data": data}, old=b"old", stays=["data"], last_line=rb"(2|0) cells, \d passed, 0 failed(, \d incomplete)?\n")
    yield Job("roundtrip, 2 threads", ["roundtrip", "-T2", *roundtrip, "-o", "report", "data"], "data", "report",
              {"data": data}, stays=["data"], last_line=rb"(2|0) cells, \d passed, 0 failed(, \d incomplete)?\n")
    yield Job("recover", ["recover", "data.tdz", "-o", "data"], "data.tdz", "data", {"data.tdz": packed},
              stays=["data.tdz"], recovers=True)


@functools.cache
def has_linux_calls(tdz):
    done = subprocess.run([tdz, "--version"], stdout=subprocess.PIPE, check=True)
    return b"built without the calls of Linux" not in done.stdout


class Trial:
    """One run of a job with one fault."""

    def __init__(self, tdz, by, job, fault, work):
        self.folder = work / "in"
        by.mark.unlink(missing_ok=True)
        job.lay_out(self.folder)
        self.tdz, self.job, self.by = tdz, job, by
        call, _, lasting, _ = fault
        self.keeps_names = call in ("unlink", "unlinkat") and lasting and not has_linux_calls(tdz)
        before, environment = by.inject(*fault)
        done = subprocess.run([*before, tdz, *job.words], cwd=self.folder, env={**job.environment(), **environment},
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60, check=False)
        self.code, self.said = done.returncode, done.stdout
        self.struck = by.struck()

    def content(self, name):
        path = self.folder / name
        return path.read_bytes() if path.exists() else None

    def is_good(self, name, expected):
        """Whether the file is there and complete. A .tdz is complete if it decodes to its original."""
        if self.content(name) is None:
            return False
        if self.job.last_line is not None:
            return re.fullmatch(self.job.last_line, self.content(name).splitlines(keepends=True)[-1]) is not None
        if not name.endswith(".tdz"):
            return self.content(name) == expected
        decoded = subprocess.run([self.tdz, "-dc", name], cwd=self.folder, stdout=subprocess.PIPE, check=False)
        return decoded.returncode == 0 and decoded.stdout == expected

    def fault(self, allowed, result):
        """What is wrong with the result, or nothing."""
        job = self.job
        is_part = job.recovers and self.code == 2
        if self.code not in allowed and not is_part and not self.by.excuses(self):
            return f"exit code {self.code}"
        strangers = set(os.listdir(self.folder)) - {job.source, job.target}
        if self.keeps_names:  # a file that got its name by link keeps the hidden one too, where no name can be removed
            strangers = {name for name in strangers if not Kills.HIDDEN.fullmatch(name)}
        if strangers:
            return f"left behind: {strangers}"
        if self.code == 0:
            gone = self.content(job.source) is None
            if gone == (job.source in job.stays):
                return "the source is " + ("gone" if gone else "still there")
            return None if self.is_good(job.target, result) else "the target is not whole"
        if self.content(job.source) != job.files[job.source]:
            # When the result is on disk under its name, the source may be removed, even if a later call fails.
            gone = self.content(job.source) is None and job.source not in job.stays
            return None if gone and self.is_good(job.target, result) else "the source is lost"
        if is_part:
            return self.fault_of_part(result)
        if self.content(job.target) not in (None, job.old) and not self.is_good(job.target, result):
            return "a partial target"
        return None

    def fault_of_part(self, result):
        """Recovered chunks must be right, and the rest zeros."""
        part = self.content(self.job.target)
        if part is None:
            return None if b"no intact chunk" in self.said else "nothing was recovered"
        if len(part) > len(result) or any(got not in (0, wanted) for got, wanted in zip(part, result)):
            return "other bytes were recovered"
        return None if b"missing" in self.said else "no message says what is missing"


def trials(tdz, by, job, call, how, work):
    """Fails the first call, then the second, and so on to the last one. A sample leaves out more and more calls, but tries
    the last calls too: there the result gets its name."""

    def struck(nth, lasting=""):
        trial = Trial(tdz, by, job, (call, nth, lasting, how), work)
        return trial if trial.struck else None

    def both(nth):
        for lasting in ("", "+") if how not in PASSING else ("",):
            if trial := struck(nth, lasting):
                yield f"{call} {nth}{lasting} {how}", trial

    nth, last, sampled = 1, 0, set()
    while True:
        sampled.add(nth)
        for trial in both(nth):  # one after another: each is checked before the next one makes its files
            last = nth
            yield trial
        if last != nth:
            break
        nth += 1 if FULL or nth < by.dense else nth // 3 + 1
    while nth - last > 1:  # the last call is between them
        middle = (last + nth) // 2
        last, nth = (middle, nth) if struck(middle) else (last, middle)
    if not FULL:
        for near_end in range(last - by.dense + 1, last + 1):
            if near_end > 0 and near_end not in sampled:
                yield from both(near_end)


def try_all(tdz, by, data, work):
    """How many faults of each call were tried, and how many left something wrong."""
    tried, bad = {}, 0
    for job in itertools.islice(jobs(tdz, data), 0, None, 1 if FULL else by.every):
        for call, how, allowed in by.faults(job):
            for name, trial in trials(tdz, by, job, call, how, work):
                tried[call] = tried.get(call, 0) + 1
                fault = trial.fault(allowed, data)
                if fault:
                    bad += 1
                    print(f"{job.name}: {name}: {fault}\n    {trial.said.decode(errors='replace').strip()}")
    print(f"{by.name}: {sum(tried.values())} faults tried (" + ", ".join(f"{n} {call}" for call, n in tried.items()) + f"), {bad} bad")
    return bad == 0 and len(tried) > 0


class Kills:
    """Kills a job, which removes its source, at each call from the first fsync on."""

    CALLS = {"fsync", "linkat", "flock", "openat", "newfstatat", "fcntl", "fstatfs", "rename", "renameat", "renameat2",
             "unlink", "unlinkat", "close", "exit_group"}
    HIDDEN = re.compile(r"\.(.+)-[A-Za-z0-9]{6}\.tdz\.(rm|tmp)")

    def __init__(self, tdz, shim, work):
        self.tdz, self.shim, self.folder, self.trace = tdz, shim, work / "in", work / "trace"

    def run(self, job, options, words, **environment):
        """strace runs the program, so that only the program has the shim."""
        given = [f"-E{name}={value}" for name, value in {"LD_PRELOAD": self.shim, **environment}.items()]
        return subprocess.run(["strace", "-f", "-qqq", "-o", self.trace, *given, *options, self.tdz, *words], cwd=self.folder,
                              env=job.environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=60, check=False)

    def places(self, job, environment):
        """Each call of the first thread that can change files, as its name and which of its kind it is."""
        job.lay_out(self.folder)
        self.run(job, [], job.words, **environment)
        trace = self.trace.read_text(errors="replace")
        made = re.findall(rf"^{trace.split()[0]} +(\w+)\(", trace, re.MULTILINE)
        seen = collections.Counter()
        for at, call in enumerate(made):
            seen[call] += 1
            if at >= made.index("fsync") and call in self.CALLS:
                yield call, seen[call]

    def content(self, name):
        return (self.folder / name).read_bytes()

    def is_good(self, name, expected):
        if not (self.folder / name).exists():
            return False
        if not name.endswith(".tdz"):
            return self.content(name) == expected
        decoded = subprocess.run([self.tdz, "-dc", name], cwd=self.folder, stdout=subprocess.PIPE, check=False)
        return decoded.returncode == 0 and decoded.stdout == expected

    def left(self, job, expected):
        """Whether the source is there, and what is wrong."""
        hidden = {name: found for name in os.listdir(self.folder) if (found := self.HIDDEN.fullmatch(name))}
        strangers = set(os.listdir(self.folder)) - {job.source, job.target} - hidden.keys()
        if strangers:
            return False, f"left behind: {strangers}"
        sources = [job.source] if (self.folder / job.source).exists() else []
        sources += [name for name, found in hidden.items() if found.groups() == (job.source, "rm")]
        if any(self.content(name) != job.files[job.source] for name in sources):
            return True, "the source is not whole"
        target = self.folder / job.target
        if target.exists() and self.content(job.target) != job.old and not self.is_good(job.target, expected):
            return True, "a partial target"
        if not sources and not self.is_good(job.target, expected):
            return False, "source and target are lost"
        return bool(sources), None

    def fault(self, job, expected, place, environment):
        job.lay_out(self.folder)
        call, nth = place
        killed = self.run(job, [f"-einject={call}:signal=KILL:when={nth}"], job.words, **environment)
        if killed.returncode != -9 and killed.returncode != 137:
            return f"it was not killed, but ended with {killed.returncode}"
        has_source, fault = self.left(job, expected)
        if fault:
            return fault
        del environment["TDZ_FAULT"]
        again = self.run(job, [], job.repeated(), **environment)
        if has_source and again.returncode != 0:
            return f"the second run: exit code {again.returncode}\n    {again.stdout.decode(errors='replace')}"
        if os.listdir(self.folder) != [job.target] or not self.is_good(job.target, expected):
            return f"after the second run there are {os.listdir(self.folder)}"
        return None

    SAMPLE = {"compress over an old target", "decompress"}
    # Two file systems, and a source that cannot be removed and gets its name back.
    WAYS = [{}, {"TDZ_NO_TMPFILE": "1", "TDZ_NO_NOREPLACE": "1"}, {"TDZ_FAULT": "unlink:1:13"},
            {"TDZ_NO_NOREPLACE": "1", "TDZ_FAULT": "unlink:1:13"}]

    def try_all(self, data):
        tried = bad = 0
        removing = [job for job in jobs(self.tdz, data) if "--rm" in job.words and (FULL or job.name in self.SAMPLE)]
        for job, environment in itertools.product(removing, self.WAYS):
            for place in self.places(job, environment):
                tried += 1
                fault = self.fault(job, data, place, {"TDZ_FAULT": "", **environment})
                if fault:
                    bad += 1
                    print(f"{job.name}, {environment}: killed at {place[0]} {place[1]}: {fault}")
        print(f"{tried} kills, {bad} bad")
        return bad == 0 and tried > 0


def main():
    if sys.argv[1] == "--kills":
        if not Strace.works():
            print("Skipped: strace is missing, or may not trace")
            return 77
        with tempfile.TemporaryDirectory() as folder:
            return 0 if Kills(*map(os.path.realpath, sys.argv[2:4]), pathlib.Path(folder)).try_all(numbers()) else 1
    tdz = os.path.realpath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        if len(sys.argv) > 2:
            by = Shim(os.path.realpath(sys.argv[2]), work / "mark")
        elif Strace.works():
            by = Strace(tdz, work)
        else:
            print("Skipped: strace is missing, or may not trace")
            return 77
        return 0 if try_all(tdz, by, numbers(), work) else 1


if __name__ == "__main__":
    sys.exit(main())
