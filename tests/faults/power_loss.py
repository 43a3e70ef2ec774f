#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Is the source or the target whole after a power cut, at any moment?
power_loss.py TDZ SHIM

strace records what the program does with files (power_trace.py). A model of the disk (power_disk.py) says which states a power cut
can leave (power_states.py has the rules), and each state is held against the law of its job (power_jobs.py). From some states the
same command starts again, in a real folder: it must do all, and leave nothing else. The program is unchanged; the shim only takes
unnamed files or RENAME_NOREPLACE away. At last programs that are wrong must be found wrong: the same traces without fsync, with the
name before fsync, and with the removal before it.

A sample of the states; with TDZ_TEST_FULL=1 far more. Exits with 77 if strace may not trace.
"""
import copy
import os
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # nothing of it belongs into the tree
import power_jobs  # noqa: E402
import power_states  # noqa: E402
import power_trace  # noqa: E402
from power_disk import Disk, File, Folder  # noqa: E402
from power_jobs import Made, Reader  # noqa: E402

FULL = os.environ.get("TDZ_TEST_FULL") == "1"
STATES_OF_A_CUT, AGAIN_OF_A_JOB = (3000, 60) if FULL else (60, 2)
NO_UNNAMED = {"TDZ_NO_TMPFILE": "1", "TDZ_NO_NOREPLACE": "1"}
WAYS = {"": {}, "no unnamed files": {"TDZ_NO_TMPFILE": "1"}, "neither these nor RENAME_NOREPLACE": NO_UNNAMED}


class Counts:
    def __init__(self):
        self.jobs = self.states = self.half_written = self.again = self.bad = 0

    def fault(self, job, way, text):
        self.bad += 1
        print(f"{job.name}{', ' + way if way else ''}: {text}")


class Bench:
    """Traces jobs and judges states in one folder."""

    def __init__(self, tdz, shim, work):
        self.tdz, self.shim, self.work = tdz, shim, work
        self.reader, self.counts = Reader(tdz, work), Counts()

    def trace(self, job, environment):
        """The model of the disk after all runs of the job."""
        folder = self.work / "traced"
        job.lay_out(folder)
        disk = Disk(folder)
        if job.unlisted is not None:
            job.close_folder(folder)
        as_user = ("-u", "nobody") if job.unlisted is not None and os.geteuid() == 0 else ()
        for run in job.runs:
            given = {**environment, **run.environment}
            if given:
                given["LD_PRELOAD"] = self.shim
            words = [run.program or self.tdz, *run.words]
            done, calls = power_trace.run(words, folder, self.work / "trace", given, run.injected, as_user)
            if done.returncode not in run.codes:
                raise AssertionError(f"{job.name}: exit code {done.returncode}: {done.stdout.decode(errors='replace')}")
            disk.play(calls)
        if job.unlisted is not None:
            (folder / job.unlisted).chmod(0o700)
        if difference := disk.difference():
            raise AssertionError(f"{job.name}: the model is wrong: {difference}")
        return disk

    def works_as_another_user(self):
        """root may list every folder, so the program runs as nobody; the build may lie where only root may look."""
        if os.geteuid() != 0:
            return True
        done = subprocess.run(["strace", "-u", "nobody", "-qqq", "-o", "/dev/null", self.tdz, "--version"], check=False,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return done.returncode == 0

    def judge(self, job, way, environment):
        self.counts.jobs += 1
        shapes = {}
        for state in power_states.states(self.trace(job, environment), STATES_OF_A_CUT, job.name + way):
            self.counts.states += 1
            self.counts.half_written += any(power_jobs.HIDDEN.fullmatch(path) for path in state.files)
            if fault := job.fault(state, self.reader):
                self.counts.fault(job, way, fault)
                return
            shapes.setdefault(state.shape(), state)
        if job.repeated is not None:
            for state in spread(list(shapes.values()), AGAIN_OF_A_JOB):
                self.run_again(job, way, state, environment)

    def run_again(self, job, way, state, environment):
        """Lays out the state. The same command then does all that a source is there for."""
        folder = self.work / "again"
        job.lay_out(folder)
        for path in sorted(folder.rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()
        for path, data in sorted(state.files.items()):
            (folder / path).mkdir() if data is None else (folder / path).write_bytes(data)
        for first, *others in state.links:
            for other in others:
                (folder / other).unlink()
                os.link(folder / first, folder / other)
        given = {**os.environ, **environment, **({"LD_PRELOAD": self.shim} if environment else {})}
        done = subprocess.run([self.tdz, *job.repeated], cwd=folder, env=given, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=60, check=False)
        self.counts.again += 1
        if fault := fault_after(job, state, folder, done, self.reader):
            self.counts.fault(job, way, f"begun again after a power cut that left {sorted(state.files)}: {fault}\n"
                                        f"    {done.stdout.decode(errors='replace').strip()}")


def spread(items, count):
    """About so many of the items: the first, the last, and some between them."""
    if len(items) <= count:
        return items
    return [items[at * (len(items) - 1) // (count - 1)] for at in range(count)]


def fault_after(job, before, folder, done, reader):
    """What is wrong after the command ran again."""
    left = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    had_all = True
    for pair in job.pairs:
        had_source = pair.source is None or any(
            path == pair.source or power_jobs.is_hidden_source(path, pair.source) for path in before.files)
        had_all = had_all and had_source
        if pair.target not in left or not pair.is_whole(left[pair.target], reader):
            return f"{pair.target} is not whole"
        if job.removes and had_source and pair.source in left:
            return f"{pair.source} is still there"
    if had_all and done.returncode not in (0, *job.runs[-1].codes):
        return f"exit code {done.returncode}"
    hidden = [path for path in left if power_jobs.HIDDEN.fullmatch(path)]
    return f"left behind: {hidden}" if hidden else None


# ---- Can the test fail?

WRONG = {
    "no fsync at all": lambda disk: power_states.without_barriers(disk, (File, Folder)),
    "no fsync of the file": lambda disk: power_states.without_barriers(disk, File),
    "no fsync of the folder": lambda disk: power_states.without_barriers(disk, Folder),
    "the name before fsync": power_states.named_before_synced,
    "the source removed before fsync of the folder": power_states.removed_before_synced,
}


def wrong_programs_are_found(bench, made):
    """Each wrong program, in each job: whether a state breaks the law."""
    chosen = {"compress --rm", "decompress --rm", "compress --rm -f over an old target"}
    removing = [job for job in power_jobs.one_file(made) if job.name in chosen]
    found = tried = 0
    for way, environment in WAYS.items():
        for job in removing:
            traced = bench.trace(job, environment)
            for name, change in WRONG.items():
                disk = copy.deepcopy(traced)
                change(disk)
                tried += 1
                faults = (job.fault(state, bench.reader) for state in power_states.states(disk, STATES_OF_A_CUT, name))
                if any(faults):
                    found += 1
                else:
                    bench.counts.fault(job, way, f"a program with {name} was not found wrong")
    print(f"{found} of {tried} wrong programs were found")


def wrong_traces_are_refused():
    """What the reader does not know must not pass."""
    head = '1 openat(AT_FDCWD, "\\x61", O_RDWR|O_CREAT, 0600) = 3\n'
    wrong = {
        "an unknown call": head + "1 sendfile(3, 0, NULL, 5) = 5\n",
        "a call that a later Linux may have": head + "1 syscall_999(3) = 0\n",
        "a cut string": head + '1 write(3, "\\x61\\x62"..., 5) = 5\n',
        "a cut list": head + '1 writev(3, [{iov_base="\\x61", iov_len=1}, ...], 9) = 9\n',
        "a mapping that writes": head + "1 mmap(NULL, 4096, PROT_READ|PROT_WRITE, MAP_SHARED, 3, 0) = 0x7f0000000000\n",
        "another process": "1 clone(child_stack=NULL, flags=SIGCHLD) = 5\n",
        "a line that is no call": head + "1 what is this\n",
        "an end without a begin": head + "1 <... write resumed>) = 5\n",
        "a file elsewhere": '1 openat(AT_FDCWD, "\\x2f\\x65\\x74\\x63\\x2f\\x78", O_WRONLY|O_CREAT, 0600) = 3\n',
        "a hole": head + "1 fallocate(3, FALLOC_FL_KEEP_SIZE|FALLOC_FL_PUNCH_HOLE, 0, 5) = 0\n",
    }
    with tempfile.TemporaryDirectory() as folder:
        for name, lines in wrong.items():
            try:
                Disk(folder).play(power_trace.calls(lines.splitlines()))
            except power_trace.Unreadable:
                continue
            raise AssertionError(f"{name} was read as if it was harmless")
        good = Disk(folder)
        good.play(power_trace.calls([head, '1 pwrite64(3, "\\x61\\x62", 2, 3 <unfinished ...>', "2 getpid() = 2",
                                     "1 <... pwrite64 resumed>) = 2"]))
        assert good.top.now["a"].now == b"\0\0\0ab", good.top.now


def place():
    """A folder on a disk, because a tmpfs is written by memory, and no trace shows that."""
    for folder in (tempfile.gettempdir(), "/var/tmp", os.getcwd()):
        kind = subprocess.run(["stat", "-f", "-c", "%T", folder], stdout=subprocess.PIPE, text=True, check=False).stdout.strip()
        if kind and kind != "tmpfs" and os.access(folder, os.W_OK):
            return folder
    return None


def main():
    if not power_trace.works():
        print("Skipped: strace is missing, or may not trace")
        return 77
    on_disk = place()
    if on_disk is None:
        print("Skipped: all folders for temporary files are in memory")
        return 77
    wrong_traces_are_refused()
    with tempfile.TemporaryDirectory(dir=on_disk) as folder:
        work = pathlib.Path(folder).resolve()
        work.chmod(0o755)
        bench = Bench(os.path.realpath(sys.argv[1]), os.path.realpath(sys.argv[2]), work)
        made = Made(bench.tdz, work)
        for at, (way, environment) in enumerate(WAYS.items()):
            for number, job in enumerate(power_jobs.jobs(made)):
                if FULL or at == 0 or number % 3 == at:
                    bench.judge(job, way, environment)
        for job in power_jobs.accidents(made):
            if job.unlisted is not None and not bench.works_as_another_user():
                print(f"{job.name}: left out, because user nobody cannot run {bench.tdz}")
                continue
            bench.judge(job, "", {})
        wrong_programs_are_found(bench, made)
        counts = bench.counts
        print(f"{counts.jobs} jobs, {counts.states} states after a power cut, {counts.half_written} of them with a hidden file; "
              f"{counts.again} begun again; {counts.bad} bad")
        return 0 if counts.bad == 0 and counts.states > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
