#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compresses every number file of a folder without parameters, as a new user does, and prints the tables of docs/ratio.md and
docs/notes/cpu-tables.md.

A file's name ends in its layout, NAME_i16x2.bin or NAME_u32u8x2.bin. The layout is for xz, pcodec, blosc2 and flac; tdz does not
read it. Ratios are those of the original files. For speeds each file is repeated to --mib; tdz and zstd take turns on one
pinned core, with /dev/null as output; medians of --repeats runs (--best compresses once, into a file in memory).
pcodec, blosc2 and numpy are Python modules, and flac is a program. What is missing leaves its column empty. --search needs perf.
"""
import argparse
import importlib
import pathlib
import re
import shutil
import subprocess
import sys

import corpus

EFFORTS = {"--fast": "fast", "": "default", "--best": "best"}

# What to reach: the ratio, compressing (times zstd -3; --best: MB/s), restoring (times zstd -d).
AIMS = {"fast": (2.98, "2.2", "1.8"), "default": (3.15, "1.7", "1.7"), "best": (3.25, "6 MB/s", "1.2")}

# Names that give only the bits of their columns.
MIXED = {"nanopore_mix64x4": "i64x2f64x2"}

AUDIO = ("audio", "music", "wav")
HEADERS = {".wav": 44}  # bytes
COLUMNS = ["zstd -3", "zstd -19", "xz -6 + delta", "flac -8", "pcodec", "blosc2", "tdz fast", "tdz default", "tdz best"]


def fields(path):
    """The columns of a record, from the name: [(kind, bytes of a word)]"""
    layout = MIXED.get(path.stem) or corpus.LAYOUT.search(path.stem)[1]
    return [(kind, int(bits) // 8) for kind, bits, count in re.findall(r"([uif])(\d+)(?:x(\d+))?", layout)
            for _ in range(int(count or 1))]


def record_bytes(path):
    return sum(word for _, word in fields(path))


def module(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def flac(path):
    command = ["flac", "-8", "-s", "-c"]
    if path.suffix != ".wav":
        word, channels = fields(path)[0][1], len(fields(path))
        command += ["--force-raw-format", "--endian=little", "--sign=signed", "--sample-rate=44100",
                    f"--channels={channels}", f"--bps={8 * word}"]
    return command + [str(path)]


def xz(path):
    return ["xz", "-c", "-k", f"--delta=dist={min(256, record_bytes(path))}", "--lzma2=preset=6", str(path)]


def tdz(options, effort, source):
    return [options.tdz, "compress", *([effort] if effort else []), "-T1", "-c", str(source)]


def zstd(options, level, source):
    return [options.zstd, "-q", f"-{level}", "-T1", "-c", str(source)]


def pcodec_size(path):
    """Each column of the record as an array of its own. None where pcodec has no such type: 8 and 24 bits."""
    numpy, standalone, pcodec = module("numpy"), module("pcodec.standalone"), module("pcodec")
    if not (numpy and standalone) or any(word not in (2, 4, 8) for _, word in fields(path)):
        return None
    record = numpy.dtype([(f"c{i}", f"<{kind}{word}") for i, (kind, word) in enumerate(fields(path))])
    records = numpy.fromfile(path, record)
    rest = path.stat().st_size - records.nbytes
    return rest + sum(len(standalone.simple_compress(numpy.ascontiguousarray(records[name]), pcodec.ChunkConfig()))
                      for name in record.names)


def blosc2_size(path):
    """The smaller of shuffle and bitshuffle, zstd at clevel 5. An item is a word, or a record if its words differ in width."""
    blosc2 = module("blosc2")
    if not blosc2:
        return None
    widths = {word for _, word in fields(path)}
    item = widths.pop() if len(widths) == 1 else record_bytes(path)
    data = path.read_bytes()
    return min(len(blosc2.compress2(data, typesize=item, codec=blosc2.Codec.ZSTD, clevel=5, nthreads=1, filters=[way]))
               for way in (blosc2.Filter.SHUFFLE, blosc2.Filter.BITSHUFFLE))


def ratios(path, options):
    commands = {"zstd -3": zstd(options, 3, path), "zstd -19": zstd(options, 19, path), "xz -6 + delta": xz(path)}
    if path.stem.startswith(AUDIO) and shutil.which("flac"):
        commands["flac -8"] = flac(path)
    commands |= {"tdz " + name: tdz(options, effort, path) for effort, name in EFFORTS.items()}
    sizes = {name: corpus.stored_size(command) for name, command in commands.items()}
    sizes |= {name: size for name, size in (("pcodec", pcodec_size(path)), ("blosc2", blosc2_size(path))) if size}
    return {name: path.stat().st_size / size for name, size in sizes.items()}


def speeds_of(path, options, scratch):
    """{effort: {way: MB/s}} of tdz and zstd. The run that stores a file warms the caches, and is the only one that compresses with --best."""
    long, core = scratch / "long.bin", {options.cores[0]}
    corpus.repeat_to(path, long, options.mib * corpus.MIB, HEADERS.get(path.suffix, 0))
    corpus.save(zstd(options, 3, long), scratch / "long.zst")
    ins = {"zstd": (zstd(options, 3, long), core)}
    outs = {"zstd": ([options.zstd, "-q", "-d", "-T1", "-c", str(scratch / "long.zst")], core)}
    stored_in = {}
    for effort in EFFORTS:
        stored = scratch / f"long{effort}.tdz"
        ins[effort] = (tdz(options, effort, long), core)
        outs[effort] = ([options.tdz, "decompress", "-T1", "-c", str(stored)], core)
        with open(stored, "wb") as file:
            stored_in[effort] = corpus.run(*ins[effort], stdout=file)[options.clock]
        print(f"  tdz {effort}: ratio of the repeated file {options.mib * corpus.MIB / stored.stat().st_size:.3f}", file=sys.stderr)
    del ins["--best"]
    seconds_in = {"--best": stored_in["--best"]} | corpus.take_turns(ins, options.repeats, options.clock, warm_up=0)
    seconds_out = corpus.take_turns(outs, options.repeats, options.clock, warm_up=0)
    speed = {f"{name} {way}": options.mib * corpus.MIB / 1e6 / taken
             for way, seconds in (("in", seconds_in), ("out", seconds_out)) for name, taken in seconds.items()}
    return {EFFORTS[effort]: {f"{program} {way}": speed[f"{name} {way}"]
                              for program, name in (("tdz", effort), ("zstd", "zstd")) for way in ("in", "out")}
            for effort in EFFORTS}


def search_share(options, source, scratch):
    """The part of compressing that is below tdz::search, by stacks that perf takes. They are deep: fewer bytes of a stack lose its outer calls."""
    data = str(scratch / "perf.data")
    record = ["perf", "record", "-q", "--call-graph", "dwarf,65528", "-F", "800", "-o", data]
    corpus.run([*record, *tdz(options, "", source)], {options.cores[0]})
    report = ["perf", "report", "-q", "-i", data, "--children", "--no-demangle", "-g", "none", "--percent-limit", "1"]
    lines = subprocess.run(report, capture_output=True, text=True, check=True).stdout.splitlines()
    found = [line for line in lines if "_ZN3tdz6searchE" in line]
    if not found:
        sys.exit(f"perf found no tdz::search in {source}: is the program stripped?")
    return float(found[0].split("%")[0]) / 100


def search_cost(path, options, scratch):
    """Seconds of one thread on one core: the search of the file, of the repeated file, and all of compressing that."""
    long, core = scratch / "long.bin", {options.cores[0]}
    corpus.repeat_to(path, long, options.mib * corpus.MIB, HEADERS.get(path.suffix, 0))
    commands = {"search": (tdz(options, "", path), core), "long search": (tdz(options, "", long), core)}
    seconds = corpus.take_turns(commands, options.repeats, options.clock)
    parts = {"search": search_share(options, path, scratch), "long search": search_share(options, long, scratch)}
    return {name: seconds[name] * parts[name] for name in parts} | {"compress": seconds["long search"]}


def print_search(table, mib):
    columns = ["file", "search ms", f"search of {mib} MiB ms", f"compression of {mib} MiB ms", "share"]

    def cells(row):
        return [f"{1e3 * seconds:.0f}" for seconds in row.values()] + [f"{100 * row['long search'] / row['compress']:.1f} %"]

    means = means_of([row for path, row in table.items() if is_number_file(path)])
    rows = [[path.stem] + cells(row) for path, row in table.items()]
    corpus.print_table(columns, rows + [["geometric mean, numbers"] + cells(means)])


def is_number_file(path):
    return not path.stem.startswith("ctl_")


def means_of(rows):
    """The geometric mean of each entry that all rows have."""
    return {name: corpus.geometric_mean([row[name] for row in rows]) for name in rows[0] if all(name in row for row in rows)}


def print_ratios(table):
    def cells(row):
        return [f"{row[name]:.3f}" if name in row else "" for name in COLUMNS]

    numbers = [row for path, row in table.items() if is_number_file(path)]
    means = means_of(numbers)
    rows = [[path.stem] + cells(row) for path, row in table.items()]
    corpus.print_table(["file"] + COLUMNS, rows + [[f"geometric mean, numbers ({len(numbers)})"] + cells(means)])
    print_pcodec(numbers)
    return means


def print_pcodec(numbers):
    """pcodec's mean beside that of tdz, over the files that pcodec can take."""
    taken = [row for row in numbers if "pcodec" in row]
    if taken:
        means = means_of(taken)
        print(f"Over the {len(taken)} files of numbers that pcodec can take: pcodec {means['pcodec']:.3f}, tdz fast "
              f"{means['tdz fast']:.3f}, default {means['tdz default']:.3f}, best {means['tdz best']:.3f}.\n")


def print_speeds(table):
    columns = ["file"] + [f"{name} {way}" for name in EFFORTS.values() for way in ("in MB/s", "/ zstd -3", "out MB/s", "/ zstd -d")]

    def cells(speed):
        return [text for name in EFFORTS.values() for way in ("in", "out") for text in (
            f"{speed[name]['tdz ' + way]:.0f}", f"{speed[name]['tdz ' + way] / speed[name]['zstd ' + way]:.2f}")]

    rows = [[path.stem] + cells(speed) for path, speed in table.items()]
    numbers = [speed for path, speed in table.items() if is_number_file(path)]
    means = {name: means_of([speed[name] for speed in numbers]) for name in EFFORTS.values()}
    corpus.print_table(columns, rows + [[f"geometric mean, numbers ({len(numbers)})"] + cells(means)])
    return means


def print_aims(ratio, speed):
    rows = []
    for option, name in EFFORTS.items():
        aim, aim_in, aim_out = AIMS[name]
        times = {way: speed[name]["tdz " + way] / speed[name]["zstd " + way] for way in ("in", "out")}
        taken = f"{speed[name]['tdz in']:.1f} MB/s" if "MB/s" in aim_in else f"{times['in']:.2f}"
        rows.append([f"`{option}`" if option else name, f"{aim:.2f}", f"{ratio['tdz ' + name]:.3f}", aim_in, taken,
                     aim_out, f"{times['out']:.2f}"])
    corpus.print_table(["", "ratio: aim", "measured", "compress / zstd -3: aim", "measured",
                        "decompress / zstd -d: aim", "measured"], rows)


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", metavar="DIR", type=pathlib.Path)
    root = pathlib.Path(__file__).parents[2]
    parser.add_argument("--tdz", default=str(root / "build/release/app/tdz"), metavar="PROGRAM")
    parser.add_argument("--zstd", default="zstd", metavar="PROGRAM")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--mib", type=int, default=256)
    parser.add_argument("--clock", choices=("wall", "cpu"), default="cpu", help="cpu: for a machine that is busy")
    parser.add_argument("--cores", type=int, nargs="+", default=sorted(corpus.os.sched_getaffinity(0)))
    parser.add_argument("--search", action="store_true", help="only what the search costs")
    parser.add_argument("--no-ratio", dest="ratio", action="store_false", help="speeds only")
    parser.add_argument("--no-speed", dest="speed", action="store_false", help="ratios only")
    return parser.parse_args()


def measured(files, measure):
    table = {}
    for path in files:
        table[path] = measure(path)
        print(path.stem, table[path], file=sys.stderr, flush=True)
    return table


def main():
    options = parse()
    files = corpus.corpus_files(options.folder)
    if not files:
        sys.exit(f"no NAME_i16x2.bin in {options.folder}")
    if options.search:
        with corpus.scratch_folder(options.mib * corpus.MIB) as scratch:
            return print_search(measured(files, lambda path: search_cost(path, options, scratch)), options.mib)
    ratio = options.ratio and print_ratios(measured(files, lambda path: ratios(path, options)))
    if not options.speed:
        return
    with corpus.scratch_folder(5 * options.mib * corpus.MIB) as scratch:
        speed = print_speeds(measured(files, lambda path: speeds_of(path, options, scratch)))
    if ratio:
        print_aims(ratio, speed)


if __name__ == "__main__":
    main()
