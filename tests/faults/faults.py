#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What is left when the n-th call fails, for every n? faults.py TDZ SHIM

Every job runs once for each call of each kind that it makes, and that call fails: see shim.cpp. Afterwards either all is
done, exit code 0, or: the documented exit code, the source still there, the target absent (or still the old one), nothing else
left in the folder. What recover cannot read it takes for damage: exit code 2, and zeros in the place of chunks. A sample of the calls usually, all of them with TDZ_TEST_FULL=1.
"""
import errno
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

FULL = os.environ.get("TDZ_TEST_FULL") == "1"
DENSE = 6  # up to this call every one is tried, beyond it a sample

IO, MEMORY, NONE = {0, 3}, {0, 4}, {0}
# call, what happens to it, and what the program may then exit with
FAULTS = [
    *[(call, error, IO) for call in ("read", "pread") for error in ("EIO",)],
    *[(call, error, IO) for call in ("write", "pwrite") for error in ("ENOSPC", "EIO", "EDQUOT")],
    *[(call, how, NONE) for call in ("read", "pread", "write", "pwrite") for how in ("EINTR", "short")],
    ("fsync", "EIO", IO), ("fsync", "ENOSPC", IO), ("link", "EIO", IO), ("link", "ENOSPC", IO), ("rename", "EIO", IO),
    ("rename", "EDQUOT", IO), ("open", "EIO", IO), ("open", "EMFILE", IO), ("close", "EIO", IO), ("fchmod", "EPERM", NONE),
    ("unlink", "EACCES", IO), ("thread", "EAGAIN", NONE), ("malloc", "ENOMEM", MEMORY),
]


class Job:
    """A command in a folder of its own. `source` becomes `target`, and --rm removes it. A target that is a report may say
    that something failed; it is whole if it ends with `last_line`."""

    def __init__(self, name, words, source, target, files, *, old=None, no_tmpfile=False, stays=(), last_line=None,
                 recovers=False):
        self.name, self.words, self.source, self.target = name, words, source, target
        self.files = dict(files)
        if old is not None:
            self.files[target] = old
        self.old, self.no_tmpfile, self.stays = old, no_tmpfile, set(stays)
        self.last_line, self.recovers = last_line, recovers

    def lay_out(self, folder):
        for name, content in self.files.items():
            (folder / name).write_bytes(content)


def numbers():
    return b"".join(b"%d\n" % (i * i) for i in range(30000))[:200000]


def jobs(tdz, data):
    packed = subprocess.run([tdz, "-c", "--chunk", "64KiB", "--type", "u16"], input=data, stdout=subprocess.PIPE, check=True)
    packed = packed.stdout
    compress = ["compress", "--chunk", "64KiB", "--type", "u16", "--rm", "data"]
    yield Job("compress", ["-T1", *compress[1:]], "data", "data.tdz", {"data": data})
    yield Job("compress, 3 threads, verified", ["-T3", "--verify", *compress[1:]], "data", "data.tdz", {"data": data})
    yield Job("compress, found out", ["-T1", "--chunk", "64KiB", "--rm", "data"], "data", "data.tdz", {"data": data})
    yield Job("compress over an old target", ["-f", "-T1", *compress[1:]], "data", "data.tdz", {"data": data}, old=b"old")
    yield Job("compress without unnamed files", ["-T1", *compress[1:]], "data", "data.tdz", {"data": data}, no_tmpfile=True)
    yield Job("decompress", ["-d", "-T1", "--rm", "data.tdz"], "data.tdz", "data", {"data.tdz": packed})
    yield Job("decompress, 3 threads, old target, no unnamed files", ["-df", "-T3", "--rm", "data.tdz"], "data.tdz", "data",
              {"data.tdz": packed}, old=b"old", no_tmpfile=True)
    yield Job("recover", ["recover", "data.tdz", "-o", "data"], "data.tdz", "data", {"data.tdz": packed},
              stays=["data.tdz"], recovers=True)
    # Two chunks in two cells.
    roundtrip = ["--backends", "cpu", "--words", "2", "--tuples", "1-2", "--orders", "1", "--layouts", "interleaved"]
    yield Job("roundtrip", ["roundtrip", "-T1", *roundtrip, "--chunk", "100KiB", "-f", "-o", "report", "data"], "data", "report",
              {"data": data}, old=b"old", stays=["data"], last_line=rb"(2|0) cells, \d passed, 0 failed(, \d incomplete)?\n")
    yield Job("roundtrip, 2 threads", ["roundtrip", "-T2", *roundtrip, "-o", "report", "data"], "data", "report",
              {"data": data}, stays=["data"], last_line=rb"(2|0) cells, \d passed, 0 failed(, \d incomplete)?\n")


class Trial:
    """One run of a job with one fault."""

    def __init__(self, tdz, shim, job, fault, work):
        self.folder, self.mark = work / "in", work / "mark"
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        self.mark.unlink(missing_ok=True)
        job.lay_out(self.folder)
        self.tdz, self.job = tdz, job
        environment = {"LD_PRELOAD": shim, "TDZ_FAULT": fault, "TDZ_FAULT_MARK": str(self.mark), "PATH": os.environ["PATH"]}
        if job.no_tmpfile:
            environment["TDZ_NO_TMPFILE"] = "1"
        done = subprocess.run([tdz, *job.words], cwd=self.folder, env=environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60, check=False)
        self.code, self.said = done.returncode, done.stdout

    @property
    def struck(self):
        return self.mark.exists()

    def content(self, name):
        path = self.folder / name
        return path.read_bytes() if path.exists() else None

    def is_good(self, name, expected):
        """Is the file there and complete? A .tdz is judged by what it decodes to."""
        if self.content(name) is None:
            return False
        if self.job.last_line is not None:
            return re.fullmatch(self.job.last_line, self.content(name).splitlines(keepends=True)[-1]) is not None
        if not name.endswith(".tdz"):
            return self.content(name) == expected
        decoded = subprocess.run([self.tdz, "-dc", name], cwd=self.folder, stdout=subprocess.PIPE, check=False)
        return decoded.returncode == 0 and decoded.stdout == expected

    def fault(self, allowed, result):
        """What is wrong with the outcome, or nothing."""
        job = self.job
        is_part = job.recovers and self.code == 2
        if self.code not in allowed and not is_part:
            return f"exit code {self.code}"
        strangers = set(os.listdir(self.folder)) - {job.source, job.target}
        if strangers:
            return f"left behind: {strangers}"
        if self.code == 0:
            gone = self.content(job.source) is None
            if gone == (job.source in job.stays):
                return "the source is " + ("gone" if gone else "still there")
            return None if self.is_good(job.target, result) else "the target is not whole"
        if self.content(job.source) != job.files[job.source]:
            # Once the result is on disk under its name, the source may be gone, whatever fails then.
            gone = self.content(job.source) is None and job.source not in job.stays
            return None if gone and self.is_good(job.target, result) else "the source is lost"
        if is_part:
            return self.fault_of_part(result)
        if self.content(job.target) not in (None, job.old) and not self.is_good(job.target, result):
            return "a partial target"
        return None


    def fault_of_part(self, result):
        """What was recovered is there, the rest is zeros."""
        part = self.content(self.job.target)
        if part is None:
            return None if b"no whole chunk" in self.said else "nothing was recovered"
        if len(part) > len(result) or any(got not in (0, wanted) for got, wanted in zip(part, result)):
            return "other bytes were recovered"
        return None if b"missing" in self.said else "nobody says what is missing"


def trials(tdz, shim, job, call, how, work):
    """Fails the first call, the second ... until there is none left to fail. A sample grows its steps far out, and tries the
    last calls too, those around the naming of the result."""
    code = {"EINTR": errno.EINTR, "short": 0}.get(how) if how in ("EINTR", "short") else getattr(errno, how)

    def struck(nth, lasting=""):
        trial = Trial(tdz, shim, job, f"{call}:{nth}{lasting}:{code}", work)
        return trial if trial.struck else None

    def both(nth):
        for lasting in ("", "+") if how not in ("EINTR", "short") else ("",):
            if trial := struck(nth, lasting):
                yield f"{call} {nth}{lasting} {how}", trial

    nth, last, sampled = 1, 0, set()
    while True:
        sampled.add(nth)
        for trial in both(nth):  # one by one: each is judged before the next one lays out its files
            last = nth
            yield trial
        if last != nth:
            break
        nth += 1 if FULL or nth < DENSE else nth // 3 + 1
    while nth - last > 1:  # the last call lies between
        middle = (last + nth) // 2
        last, nth = (middle, nth) if struck(middle) else (last, middle)
    if not FULL:
        for near_end in range(last - DENSE + 1, last + 1):
            if near_end > 0 and near_end not in sampled:
                yield from both(near_end)


def main():
    tdz, shim = os.path.realpath(sys.argv[1]), os.path.realpath(sys.argv[2])
    tried, bad = {}, 0
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        data = numbers()
        for job in jobs(tdz, data):
            for call, how, allowed in FAULTS:
                for name, trial in trials(tdz, shim, job, call, how, work):
                    tried[call] = tried.get(call, 0) + 1
                    fault = trial.fault(allowed, data)
                    if fault:
                        bad += 1
                        print(f"{job.name}: {name}: {fault}\n    {trial.said.decode(errors='replace').strip()}")
    print(f"{sum(tried.values())} faults tried (" + ", ".join(f"{n} {call}" for call, n in tried.items()) + f"), {bad} bad")
    return 1 if bad or not tried else 0


if __name__ == "__main__":
    sys.exit(main())
