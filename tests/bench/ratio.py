#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compresses every number file of a folder without parameters, as a new user does, and prints the tables of docs/ratio.md.

A file's name ends in its layout, NAME_i16x2.bin, but tdz does not read it there. Ratios are those of the original files: tdz --fast,
tdz and tdz --best beside zstd, xz with a delta of the true record length, and flac for audio. For speeds each file is
repeated to --mib; tdz and zstd take turns on one pinned core, with /dev/null as output; medians of --repeats runs
(--best: one run, on --best-mib).
"""
import argparse
import pathlib
import re
import shutil
import sys

import corpus

EFFORTS = {"--fast": "fast", "": "default", "--best": "best"}


def layout(path):
    """(kind, bytes of a word, words of a tuple)"""
    kind, bits, tuple_words = re.search(r"_([uif])(\d+)x(\d+)$", path.stem).groups()
    return kind, int(bits) // 8, int(tuple_words)


def is_audio(path):
    return path.stem.startswith(("audio", "music"))


def flac(path):
    _, word, channels = layout(path)
    return ["flac", "-8", "-s", "-c", "--force-raw-format", "--endian=little", "--sign=signed", "--sample-rate=44100",
            f"--channels={channels}", f"--bps={8 * word}", str(path)]


def xz(path):
    _, word, tuple_words = layout(path)
    return ["xz", "-c", "-k", f"--delta=dist={min(256, word * tuple_words)}", "--lzma2=preset=6", str(path)]


def tdz(options, effort, source):
    return [options.tdz, "compress", *([effort] if effort else []), "-T1", "-c", str(source)]


def zstd(options, level, source):
    return [options.zstd, "-q", f"-{level}", "-T1", "-c", str(source)]


def ratios(path, options):
    size = path.stat().st_size
    row = {"zstd -3": zstd(options, 3, path), "zstd -19": zstd(options, 19, path), "xz -6 + delta": xz(path)}
    if is_audio(path) and shutil.which("flac"):
        row["flac -8"] = flac(path)
    row |= {"tdz " + name: tdz(options, effort, path) for effort, name in EFFORTS.items()}
    return {name: size / corpus.stored_size(command) for name, command in row.items()}


def speeds(path, options, scratch):
    """MB/s of tdz and zstd, in and out, for each effort."""
    long, core, row = scratch / "long.bin", {options.cores[0]}, {}
    for effort, name in EFFORTS.items():
        mib, repeats = (options.best_mib, 1) if effort == "--best" else (options.mib, options.repeats)
        corpus.repeat_to(path, long, mib * corpus.MIB)
        corpus.save(tdz(options, effort, long), scratch / "long.tdz")
        corpus.save(zstd(options, 3, long), scratch / "long.zst")
        commands = {
            "tdz in": (tdz(options, effort, long), core),
            "zstd in": (zstd(options, 3, long), core),
            "tdz out": ([options.tdz, "decompress", "-T1", "-c", str(scratch / "long.tdz")], core),
            "zstd out": ([options.zstd, "-q", "-d", "-T1", "-c", str(scratch / "long.zst")], core),
        }
        seconds = corpus.take_turns(commands, repeats, options.clock)
        row[name] = {way: mib * corpus.MIB / 1e6 / taken for way, taken in seconds.items()}
    return row


def is_number_file(path):
    return not path.stem.startswith("ctl_")


def print_ratios(table):
    columns = ["zstd -3", "zstd -19", "xz -6 + delta", "flac -8", "tdz fast", "tdz default", "tdz best"]
    rows = [[path.stem] + [f"{row[name]:.3f}" if name in row else "" for name in columns] for path, row in table.items()]
    numbers = [row for path, row in table.items() if is_number_file(path)]
    means = [f"{corpus.geometric_mean([row[name] for row in numbers]):.3f}" if name != "flac -8" else "" for name in columns]
    corpus.print_table(["file"] + columns, rows + [[f"geometric mean, numbers ({len(numbers)})"] + means])


def print_speeds(table):
    columns = ["file"] + [f"{name} {way}" for name in EFFORTS.values() for way in ("in MB/s", "/ zstd -3", "out MB/s", "/ zstd -d")]

    def cells(speed):
        return [text for name in EFFORTS.values() for way in ("in", "out") for text in (
            f"{speed[name]['tdz ' + way]:.0f}", f"{speed[name]['tdz ' + way] / speed[name]['zstd ' + way]:.2f}")]

    rows = [[path.stem] + cells(speed) for path, speed in table.items()]
    numbers = [speed for path, speed in table.items() if is_number_file(path)]
    means = {name: {way: corpus.geometric_mean([speed[name][way] for speed in numbers]) for way in numbers[0][name]}
             for name in EFFORTS.values()}
    corpus.print_table(columns, rows + [[f"geometric mean, numbers ({len(numbers)})"] + cells(means)])


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", metavar="DIR", type=pathlib.Path)
    root = pathlib.Path(__file__).parents[2]
    parser.add_argument("--tdz", default=str(root / "build/release/app/tdz"), metavar="PROGRAM")
    parser.add_argument("--zstd", default="zstd", metavar="PROGRAM")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--mib", type=int, default=256)
    parser.add_argument("--best-mib", type=int, default=64)
    parser.add_argument("--clock", choices=("wall", "cpu"), default="cpu", help="cpu: for a machine that is busy")
    parser.add_argument("--cores", type=int, nargs="+", default=sorted(corpus.os.sched_getaffinity(0)))
    parser.add_argument("--no-speed", dest="speed", action="store_false", help="ratios only")
    return parser.parse_args()


def main():
    options = parse()
    files = sorted(options.folder.glob("*_*x*.bin"))
    if not files:
        sys.exit(f"no NAME_i16x2.bin in {options.folder}")
    print_ratios({path: ratios(path, options) for path in files})
    if not options.speed:
        return
    with corpus.scratch_folder(3 * options.mib * corpus.MIB) as scratch:
        table = {}
        for path in files:
            print(f"{path.stem} ...", file=sys.stderr, flush=True)
            table[path] = speeds(path, options, scratch)
        print_speeds(table)


if __name__ == "__main__":
    main()
