#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the sizes that tdz writes with each effort, and with those of zstd -3, over every file of some folders: of one or more programs.

    python3 tests/bench/kinds.py KINDS
    python3 tests/bench/sizes.py KINDS --program before=build/old/app/tdz --program after=build/release/app/tdz --table sizes.tsv

It prints where the rule of sizes is broken, what grew most from the first program to the last, and geometric means. A kind is a folder with
files. The rule: the default is at most 2 % above zstd -3, not counting 600 bytes for tdz's records, and at most 1 % above --fast;
--best is not above the default. The exit status says whether the last program keeps it: 1 if not.
Sizes are kept in the cache, by the hashes of the program and of the file; a size that is there is not computed again.
Seconds are those of the processor.
"""
import argparse
import collections
import concurrent.futures
import fnmatch
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import threading

import corpus

RECORDS = 600  # bytes of a stream's header, index and end
OPTIONS = {"fast": ["--fast"], "default": [], "best": ["--best"]}
ZSTD = ("zstd", "3")

# What may not be larger than what, and by how much: (name, effort, than, factor, bytes that do not count).
RULES = (("default > zstd", "default", "zstd", 1.02, RECORDS), ("default > fast", "default", "fast", 1.01, 0),
         ("best > default", "best", "default", 1.0, 0))

Result = collections.namedtuple("Result", "size seconds")
Breach = collections.namedtuple("Breach", "rule program path percent bytes")


def digest(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:32]


class Cache:
    """Results by key, one line of JSON each; a run that is stopped loses nothing."""

    def __init__(self, path):
        self.path, self.lock, self.results = path, threading.Lock(), {}
        if path.exists():
            for line in path.read_text().splitlines():
                key, size, seconds = json.loads(line)
                self.results[key] = Result(size, seconds)

    def get(self, key, compute):
        if key not in self.results:
            result = compute()
            with self.lock, open(self.path, "a") as file:
                self.results[key] = result
                file.write(json.dumps([key, *result]) + "\n")
        return self.results[key]


def counted(command):
    """The bytes that the command writes to a pipe, and its seconds."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    with process.stdout:
        size = sum(len(piece) for piece in iter(lambda: process.stdout.read1(corpus.MIB), b""))
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    corpus.check(command, process.returncode)
    return Result(size, usage.ru_utime + usage.ru_stime)


class Programs:
    """The ways of compressing that are compared: ("zstd", "3"), and (name, effort) for each program."""

    def __init__(self, options):
        self.paths = {"zstd": shutil.which(options.zstd) or options.zstd} | dict(options.program)
        self.hashes = {name: digest(path) for name, path in self.paths.items()}
        self.names = [name for name in self.paths if name != "zstd"]
        self.ways = [ZSTD] + [(name, effort) for name in self.names for effort in options.efforts]

    def command(self, way, source):
        name, effort = way
        if way == ZSTD:
            return [self.paths[name], "-q", "-3", "-T1", "-c", str(source)]
        return [self.paths[name], "compress", *OPTIONS[effort], "-T1", "-c", str(source)]


def measure(path, programs, cache):
    """{way: result} of a file."""
    content = digest(path)

    def result(way):
        return cache.get(f"{programs.hashes[way[0]]} {way[1]} {content}", lambda: counted(programs.command(way, path)))

    return {way: result(way) for way in programs.ways}


def measure_all(files, programs, options):
    """{path: {way: result}}, in the order of the files."""
    cache, table = Cache(options.cache), {}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for path, row in zip(files, pool.map(lambda path: measure(path, programs, cache), files)):
            table[path] = row
            if sys.stderr.isatty():
                print(f"\r{len(table)} of {len(files)} files ", end="", file=sys.stderr, flush=True)
    return table


def breaches(table, programs):
    """Where a rule is broken, the worst first."""
    found = []
    for path, row in table.items():
        for name in programs.names:
            for rule, effort, than, factor, free in RULES:
                ours, theirs = row.get((name, effort)), row.get(ZSTD if than == "zstd" else (name, than))
                if ours and theirs and ours.size - free > factor * theirs.size:
                    above = ours.size - free - theirs.size
                    found.append(Breach(rule, name, path, 100 * above / theirs.size, above))
    return sorted(found, key=lambda breach: -breach.percent)


def print_breaches(found, table, programs, title):
    for name in programs.names:
        for rule, *_ in RULES:
            rows = [breach for breach in found if (breach.program, breach.rule) == (name, rule)]
            print(f"{name}: {rule}: {len(rows)} of {len(table)} files\n")
            if rows:
                corpus.print_table(
                    ["file", "bytes", "above", "bytes above"],
                    [[title(row.path),
                      str(row.path.stat().st_size), f"{row.percent:.2f} %",
                      str(row.bytes)] for row in rows])


def print_growth(table, programs, efforts, title, count):
    """The files that grew and shrank most from the first program to the last."""
    first, last = programs.names[0], programs.names[-1]
    for effort in efforts:
        growth = {path: row[last, effort].size / row[first, effort].size for path, row in table.items()}
        order = sorted((path for path in growth if growth[path] != 1), key=growth.get)
        larger = [path for path in reversed(order) if growth[path] > 1]
        print(
            f"{effort}, {last} / {first}: {len(larger)} of {len(table)} files grew, {len(order) - len(larger)} shrank\n"
        )
        chosen = larger[:count] + [path for path in order if growth[path] < 1][:count]
        if chosen:
            corpus.print_table(["file", first, last, "change"], [[
                title(path),
                str(table[path][first, effort].size),
                str(table[path][last, effort].size), f"{100 * growth[path] - 100:+.2f} %"
            ] for path in chosen])


def print_means(table, programs, kind):
    """Geometric means of the ratios, kind by kind; a change is that from the first program to the last."""
    kinds = collections.defaultdict(list)
    for path, row in table.items():
        kinds[kind(path)].append({way: path.stat().st_size / result.size for way, result in row.items()})
    ways, first, last = programs.ways, programs.names[0], programs.names[-1]
    twice = [way for way in ways if way[0] == first] if first != last else []

    def cells(name, rows):
        means = {way: corpus.geometric_mean([row[way] for row in rows]) for way in ways}
        change = [f"{100 * means[first, effort] / means[last, effort] - 100:+.2f} %" for _, effort in twice]
        return [name, str(len(rows))] + [f"{means[way]:.3f}" for way in ways] + change

    columns = ["kind", "files"] + [" ".join(way) for way in ways] + [f"size of {effort}: change" for _, effort in twice]
    everything = [row for rows in kinds.values() for row in rows]
    corpus.print_table(columns, [cells(name, rows) for name, rows in kinds.items()] + [cells("all", everything)])


def print_seconds(table, programs):
    total = {way: sum(row[way].seconds for row in table.values()) for way in programs.ways}
    size = {way: sum(row[way].size for row in table.values()) for way in programs.ways}
    corpus.print_table(["", "seconds", "bytes"],
                       [[" ".join(way), f"{total[way]:.1f}", str(size[way])] for way in programs.ways])


def write_table(table, programs, found, kind, target):
    """One line a file: sizes, seconds, and the rules that are broken."""
    with open(target, "w") as file:
        labels = [" ".join(way) for way in programs.ways]
        print("kind", "file", "bytes", *labels, *(f"{label} s" for label in labels), "broken", sep="\t", file=file)
        for path, row in table.items():
            broken = "; ".join(
                f"{breach.program}: {breach.rule} {breach.percent:.2f} %" for breach in found if breach.path == path)
            print(kind(path),
                  path.name,
                  path.stat().st_size,
                  *(result.size for result in row.values()),
                  *(f"{result.seconds:.3f}" for result in row.values()),
                  broken,
                  sep="\t",
                  file=file)


def named_program(text):
    name, _, path = text.rpartition("=")
    return name or "tdz", path


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders",
                        metavar="FOLDER",
                        nargs="+",
                        type=pathlib.Path,
                        help="all files in it, and in folders below it")
    root = pathlib.Path(__file__).parents[2]
    parser.add_argument("--program",
                        action="append",
                        type=named_program,
                        metavar="NAME=PROGRAM",
                        help="can be repeated; default: tdz of build/release")
    parser.add_argument("--zstd", default="zstd", metavar="PROGRAM")
    parser.add_argument("--efforts",
                        default=list(OPTIONS),
                        type=lambda text: text.split(","),
                        help="of fast,default,best")
    parser.add_argument("--only", default=["*"], nargs="+", metavar="GLOB", help="names such as KIND/NAME.bin")
    parser.add_argument("--mib", type=float, default=1024, help="leave out larger files")
    parser.add_argument("--jobs", type=int, default=1, help="files at a time")
    parser.add_argument("--cache", type=pathlib.Path, default="sizes.cache", metavar="FILE")
    parser.add_argument("--table", metavar="FILE", help="write every size here, with tabs between the columns")
    parser.add_argument("--rows", type=int, default=15, help="how many files that grew, and that shrank, are shown")
    options = parser.parse_args()
    options.program = options.program or [("tdz", str(root / "build/release/app/tdz"))]
    if unknown := set(options.efforts) - set(OPTIONS):
        parser.error(f"unknown effort: {', '.join(unknown)}")
    return options


def chosen_files(options):
    """{path: (kind, title)}; both begin with the name of the folder that was given."""
    files = {}
    for folder in options.folders:
        for path in sorted(folder.rglob("*")):
            title = path.relative_to(folder).as_posix()
            fits = path.is_file() and 0 < path.stat().st_size <= options.mib * corpus.MIB
            if fits and any(fnmatch.fnmatch(title, pattern) for pattern in options.only):
                files[path] = pathlib.PurePath(folder.name, title).parent.as_posix(), f"{folder.name}/{title}"
    return files


def main():
    options = parse()
    files = chosen_files(options)
    if not files:
        sys.exit("no file in the folders fits")
    programs = Programs(options)
    table = measure_all(list(files), programs, options)
    found = breaches(table, programs)
    kind, title = (lambda path: files[path][0]), (lambda path: files[path][1])
    print_breaches(found, table, programs, title)
    if len(programs.names) > 1:
        print_growth(table, programs, options.efforts, title, options.rows)
    print_means(table, programs, kind)
    print_seconds(table, programs)
    if options.table:
        write_table(table, programs, found, kind, options.table)
    sys.exit(any(breach.program == programs.names[-1] for breach in found))


if __name__ == "__main__":
    main()
