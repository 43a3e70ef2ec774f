#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures tdz against zstd over a folder of number files and prints the tables of docs/performance.md and docs/notes/cpu-tables.md.

A file's name ends in its layout: NAME_i16x2.bin. Each file is repeated to --mib in a folder in memory. tdz and zstd take
turns on the same pinned core, with /dev/null as output; medians of --repeats runs. Ratios are those of the original files.
Only files of one type are measured; ratio.py measures mixed records and files with a header too.
Needs only Python and the two programs.
"""
import argparse
import contextlib
import ctypes
import ctypes.util
import fnmatch
import math
import os
import pathlib
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

MIB = 1 << 20

# The best single order for each kind of data, with zigzag and tuple-planes; otherwise 1.
ORDERS = {
    "audio_sf2_i16x1": 3,
    "dem_etopo5_i16x1": 2,
    "geoid_f32x1": 4,
    "mri_u8x1": 2,
    "music_ogg_i16x2": 2,
    "winds_f32x2": 2,
}


def median_seconds(work, repeats, warm=1):
    """Of calls of work(), after some that warm caches."""
    seconds = []
    for _ in range(warm + repeats):
        begin = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - begin)
    return statistics.median(seconds[warm:])


ONE_TYPE = re.compile(r"_([uif](?:8|16|32|64)x\d+)$")
LAYOUT = re.compile(r"_((?:[uif]\d+(?:x\d+)?)+|mix\d+x\d+)$")


def number_type(path):
    return ONE_TYPE.search(path.stem)[1]


def corpus_files(folder):
    """The files whose names end in a layout."""
    return sorted(path for path in folder.iterdir() if LAYOUT.search(path.stem))


def order_of(path):
    return ORDERS.get(path.stem, 1)


class Programs:
    """The command lines that are compared. zstd gets one worker, as tdz does."""

    def __init__(self, options):
        self.tdz, self.zstd, self.level = options.tdz, options.zstd, options.level

    def tdz_compress(self, path, source, threads):
        kind = ["--type", number_type(path), "--order", str(order_of(path))]
        return [self.tdz, "compress", *kind, f"-{self.level}", f"-T{threads}", "-c", str(source)]

    def tdz_decompress(self, source, threads):
        return [self.tdz, "decompress", f"-T{threads}", "-c", str(source)]

    def zstd_compress(self, source):
        return [self.zstd, "-q", f"-{self.level}", "-T1", "-c", str(source)]

    def zstd_decompress(self, source):
        return [self.zstd, "-q", "-d", "-T1", "-c", str(source)]


def start(command, cores, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL):
    return subprocess.Popen(command, stdin=stdin, stdout=stdout,
                            preexec_fn=lambda: os.sched_setaffinity(0, cores))


def check(command, status):
    if status:
        sys.exit(f"failed with {status}: {' '.join(command)}")


def run(command, cores, stdout=subprocess.DEVNULL):
    """Runs the command on these cores. Gives the seconds of the clock and of the processor."""
    before = time.perf_counter()
    process = start(command, cores, stdout=stdout)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - before
    process.returncode = os.waitstatus_to_exitcode(status)
    check(command, process.returncode)
    return {"wall": seconds, "cpu": usage.ru_utime + usage.ru_stime}


def save(command, target):
    with open(target, "wb") as file:
        subprocess.run(command, stdout=file, check=True)


def stored_size(command):
    """The bytes that a command writes."""
    with tempfile.TemporaryFile() as file:
        subprocess.run(command, stdout=file, check=True)
        return file.seek(0, os.SEEK_END)


def take_turns(commands, repeats, clock, warm_up=1):
    """{name: median seconds}. Each round runs every command once, so that a slow moment affects all of them."""
    seconds = {name: [] for name in commands}
    for round_number in range(1 - warm_up, repeats + 1):
        for name, (command, cores) in commands.items():
            taken = run(command, cores)[clock if len(cores) == 1 else "wall"]  # what two threads save is time
            if round_number:  # the first round warms caches
                seconds[name].append(taken)
    return {name: statistics.median(values) for name, values in seconds.items()}


@contextlib.contextmanager
def scratch_folder(need):
    """A folder in memory if there is room, otherwise on disk."""
    shm = "/dev/shm"
    in_memory = os.path.isdir(shm) and shutil.disk_usage(shm).free > 2 * need
    with tempfile.TemporaryDirectory(dir=shm if in_memory else None) as folder:
        yield pathlib.Path(folder)


def repeat_to(path, target, size, header=0):
    """The header once, then copies of the rest of `path` in a row, cut at `size` bytes; whole tuples."""
    data = path.read_bytes()
    header, data = data[:header], data[header:]
    copies, rest = divmod(size - len(header), len(data))
    with open(target, "wb") as file:
        file.write(header)
        for _ in range(copies):
            file.write(data)
        file.write(data[:rest])


def measure(path, programs, options, scratch):
    """One file's row."""
    original, long = path.stat().st_size, scratch / "long.bin"
    sizes = {"tdz": stored_size(programs.tdz_compress(path, path, 1)),
             "zstd": stored_size(programs.zstd_compress(path))}
    repeat_to(path, long, options.mib * MIB)
    save(programs.tdz_compress(path, long, 1), scratch / "long.tdz")
    save(programs.zstd_compress(long), scratch / "long.zst")
    one = {options.cores[0]}
    commands = {
        "tdz in": (programs.tdz_compress(path, long, 1), one),
        "zstd in": (programs.zstd_compress(long), one),
        "tdz out": (programs.tdz_decompress(scratch / "long.tdz", 1), one),
        "zstd out": (programs.zstd_decompress(scratch / "long.zst"), one),
    }
    if options.scaling:
        for threads in (1, 2):
            commands[f"in T{threads}"] = (programs.tdz_compress(path, long, threads), set(options.cores[:2]))
            commands[f"out T{threads}"] = (programs.tdz_decompress(scratch / "long.tdz", threads), set(options.cores[:2]))
    seconds = take_turns(commands, options.repeats, options.clock)
    row = {name: options.mib * MIB / 1e6 / taken for name, taken in seconds.items()}
    return row | {name + " ratio": original / size for name, size in sizes.items()}


def geometric_mean(values):
    return math.exp(statistics.fmean(map(math.log, values)))


def print_table(columns, rows):
    print("| " + " | ".join(columns) + " |")
    print("|---" * len(columns) + "|")
    for row in rows:
        print("| " + " | ".join(row) + " |", flush=True)
    print()


def prototype_ratios(peers):
    """{name: ratio} from the column 'trial def z3' of a Markdown table of peers."""
    if not peers:
        return {}
    lines = [[cell.strip() for cell in line.strip("| \n").split("|")] for line in open(peers) if line.startswith("|")]
    column = lines[0].index("trial def z3")
    return {cells[0]: float(cells[column]) for cells in lines if cells[0].count("_") and len(cells) > column}


def speed_row(name, order, row, prototype):
    cells = [name, order]
    for what, digits in (("ratio", 3), ("in", 0), ("out", 0)):
        ours, theirs = ("tdz ratio", "zstd ratio") if what == "ratio" else (f"tdz {what}", f"zstd {what}")
        cells += [f"{row[theirs]:.{digits}f}", f"{row[ours]:.{digits}f}", f"{row[ours] / row[theirs]:.2f}"]
    return cells + ([f"{row['tdz ratio'] / prototype:.3f}" if prototype else ""])


def mean_of(rows):
    return {name: geometric_mean([row[name] for row in rows]) for name in rows[0]}


def print_speed(table, options):
    prototypes = prototype_ratios(options.peers)
    columns = ["file", "order", "ratio zstd", "tdz", "quotient", "compress MB/s zstd", "tdz", "quotient",
               "decompress MB/s zstd", "tdz", "quotient", "ratio of prototype's"]
    rows = [speed_row(path.stem, str(order_of(path)), row, prototypes.get(path.stem)) for path, row in table.items()]
    numbers = [row for path, row in table.items() if not path.stem.startswith("ctl_")]
    rows.append(speed_row(f"geometric mean, numbers ({len(numbers)})", "", mean_of(numbers), None))
    if len(numbers) < len(table):
        rows.append(speed_row(f"geometric mean, all ({len(table)})", "", mean_of(list(table.values())), None))
    keep = slice(None) if prototypes else slice(-1)
    print_table(columns[keep], [row[keep] for row in rows])


def print_scaling(table):
    columns = ["file", "compress -T1 MB/s", "-T2", "quotient", "decompress -T1 MB/s", "-T2", "quotient"]

    def cells(name, row):
        return [name] + [text for way in ("in", "out") for text in (
            f"{row[way + ' T1']:.0f}", f"{row[way + ' T2']:.0f}", f"{row[way + ' T2'] / row[way + ' T1']:.2f}")]

    rows = [cells(path.stem, row) for path, row in table.items()]
    print_table(columns, rows + [cells("geometric mean", mean_of(list(table.values())))])


def zstd_context(level):
    """Memory of a zstd context as the library tells it: (compressing, decompressing); 0 if it cannot tell."""
    try:
        library = ctypes.CDLL(ctypes.util.find_library("zstd") or "libzstd.so.1")
        library.ZSTD_estimateCCtxSize.restype = library.ZSTD_estimateDCtxSize.restype = ctypes.c_size_t
        return library.ZSTD_estimateCCtxSize(level), library.ZSTD_estimateDCtxSize()
    except (OSError, AttributeError):
        return 0, 0


def feed(path, total, pipe):
    """Writes the file again and again, `total` bytes in all."""
    with open(path, "rb") as source, pipe:
        while total > 0:
            piece = source.read(min(total, MIB))
            if not piece:
                source.seek(0)
                continue
            pipe.write(piece)
            total -= len(piece)


def high_water(pid):
    """The peak so far. wait4 would include the memory of this interpreter, because the child begins as its copy."""
    with contextlib.suppress(OSError):
        found = re.search(r"VmHWM:\s*(\d+) kB", pathlib.Path(f"/proc/{pid}/status").read_text())
        return int(found[1]) * 1024 if found else 0
    return 0


def peak_memory(command, cores, path, total):
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reader)
        feed(path, total, os.fdopen(writer, "wb", buffering=0))
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        process = start(command, cores, pipe)
    peak = 0
    while process.poll() is None:
        peak = max(peak, high_water(process.pid))
        time.sleep(0.02)
    check(command, process.returncode)
    os.waitpid(pid, 0)
    return peak


def print_memory(path, programs, options, scratch):
    copies = max(1, (options.pipe_gib << 30) // (options.mib * MIB))  # whole streams, for the way back
    compressing, decompressing = zstd_context(options.level)
    long, stored = scratch / "long.bin", scratch / "long.tdz"
    repeat_to(path, long, options.mib * MIB)
    save(programs.tdz_compress(path, long, 0), stored)
    rows = []
    for threads in (1, 2):
        for way, command, source, context in (
                ("compress", programs.tdz_compress(path, "-", threads), long, compressing),
                ("decompress", programs.tdz_decompress("-", threads), stored, decompressing)):
            peak = peak_memory(command, set(options.cores), source, copies * source.stat().st_size)
            bound = 64 * MIB + threads * (8 * MIB + context)
            rows.append([way, str(threads), f"{peak / MIB:.1f}", f"{bound / MIB:.1f}"])
    print(f"Peak memory, {options.pipe_gib} GiB of `{path.stem}` through a pipe; the bound is 64 MiB and per thread 8 chunks "
          "of 1 MiB and zstd's context:\n")
    print_table(["way", "threads", "peak MiB", "bound MiB"], rows)


def first_line(command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip().splitlines()[0]


def print_machine(options):
    info = pathlib.Path("/proc/cpuinfo").read_text()
    model = re.search(r"model name\s*:\s*(.*)", info)
    print(f"- machine: {model[1] if model else platform.processor()}, {os.cpu_count()} cores, Linux {platform.release()}")
    print(f"- programs: {first_line([options.tdz, '--version'])}; {first_line([options.zstd, '--version']).strip('* ')}")
    print(f"- every file repeated to {options.mib} MiB, one core, level {options.level}, {options.clock} time, "
          f"median of {options.repeats}")
    print("- command: `python3 tests/bench/corpus.py " + " ".join(sys.argv[1:-1] + ["DIR"]) + "`\n")


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", metavar="DIR", type=pathlib.Path)
    root = pathlib.Path(__file__).parents[2]
    parser.add_argument("--tdz", default=str(root / "build/release/app/tdz"), metavar="PROGRAM")
    parser.add_argument("--zstd", default="zstd", metavar="PROGRAM")
    parser.add_argument("--files", default=["*"], nargs="+", metavar="PATTERN", help="names, without DIR; * and ? work")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--mib", type=int, default=256, help="length of a measured file")
    parser.add_argument("--level", type=int, default=3)
    parser.add_argument("--clock", choices=("wall", "cpu"), default="wall", help="cpu: for a machine that is busy")
    parser.add_argument("--cores", type=int, nargs="+", default=sorted(os.sched_getaffinity(0)), help="the first is the one")
    parser.add_argument("--peers", metavar="FILE", help="Markdown table with a column 'trial def z3' to compare ratios with")
    parser.add_argument("--no-scaling", dest="scaling", action="store_false", help="leave out -T2 against -T1")
    parser.add_argument("--no-memory", dest="memory", action="store_false", help="leave out the endless pipe")
    parser.add_argument("--pipe-gib", type=int, default=4)
    options = parser.parse_args()
    options.scaling = options.scaling and len(options.cores) > 1
    return options


def main():
    options = parse()
    files = [path for path in corpus_files(options.folder)
             if ONE_TYPE.search(path.stem)
             and any(fnmatch.fnmatch(path.stem, pattern) or path.name == pattern for pattern in options.files)]
    if not files:
        sys.exit(f"no NAME_i16x2.bin in {options.folder}")
    programs = Programs(options)
    print_machine(options)
    with scratch_folder(3 * options.mib * MIB) as scratch:
        table = {}
        for path in files:
            print(f"{path.stem} ...", file=sys.stderr, flush=True)
            table[path] = measure(path, programs, options, scratch)
        print_speed(table, options)
        if options.scaling:
            print_scaling(table)
        if options.memory:
            print_memory(files[0], programs, options, scratch)


if __name__ == "__main__":
    main()
