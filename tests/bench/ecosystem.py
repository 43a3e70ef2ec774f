#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes and reads Zarr arrays with tdz, pcodec and blosc, and prints the table of docs/ecosystem.md.

Each file of --files becomes an array of one axis, or of two where a tuple has several numbers, with chunks of 1 MiB, in a
LocalStore in memory (/dev/shm). The ratio is that of the file. For the speeds it is repeated to --mib. Everything runs on one
core, with zarr's default pipeline; the codecs take turns, and each figure is the median of --repeats turns. With --apart each
codec reads in a process of its own, which only reads, as most programs do. Then no codec finds memory that another one left.
Needs the Python package tdz, zarr and pcodec.
"""
import argparse
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

import corpus
import numpy
import tdz
import tdz.zarr
import zarr
from zarr.codecs import BloscCodec, BytesCodec, ZstdCodec
from zarr.codecs.numcodecs import PCodec

FILES = ("geoid_f32x1.bin", "dem_etopo5_i16x1.bin", "winds_f32x2.bin")
CHUNK = 1 << 20
CLOCKS = {"cpu": time.process_time, "wall": time.perf_counter}
READER = """
import statistics, sys, time, zarr
array, clock = zarr.open_array(sys.argv[1], mode="r"), getattr(time, sys.argv[2])
seconds = []
for turn in range(int(sys.argv[3]) + 1):
    before = clock()
    array[...]
    seconds.append(clock() - before)
print(statistics.median(seconds[1:]))
"""


def numbers_of(path):
    kind, width, count = re.search(r"_([uif])(\d+)x(\d+)$", path.stem).groups()
    numbers = numpy.fromfile(path, f"<{kind}{int(width) // 8}")
    return numbers if count == "1" else numbers.reshape(-1, int(count))


def chunks_of(numbers):
    row = numbers.itemsize * (numbers.shape[1] if numbers.ndim > 1 else 1)
    return (CHUNK // row, *numbers.shape[1:])


def type_of(numbers):
    return f"{numbers.dtype.kind}{8 * numbers.itemsize}x{numbers.shape[1] if numbers.ndim > 1 else 1}"


def codecs(numbers, chunks):
    """{name: arguments of create_array}. pcodec turns numbers into bytes; the others compress bytes."""
    plain, size = BytesCodec(), numbers.itemsize
    return {
        "tdz, planned": {"serializer": plain, "compressors": [tdz.zarr.Tdz(tdz.zarr.plan_array(numbers, chunks))]},
        "tdz, fastest": {"serializer": plain, "compressors": [tdz.zarr.Tdz(tdz.plan(numbers, effort="fastest"))]},
        "tdz, order 2": {"serializer": plain, "compressors": [tdz.zarr.Tdz(tdz.plan_for(type_of(numbers), 2).with_level(1))]},
        "pcodec": {"serializer": PCodec(), "compressors": None},
        "blosc: zstd, shuffle": {"serializer": plain, "compressors": [BloscCodec(cname="zstd", clevel=5, shuffle="shuffle", typesize=size)]},
        "blosc: lz4, bitshuffle": {"serializer": plain, "compressors": [BloscCodec(cname="lz4", clevel=5, shuffle="bitshuffle", typesize=size)]},
        "zstd (zarr's default)": {"serializer": plain, "compressors": [ZstdCodec(level=0)]},
    }


def write(folder, numbers, chunks, codec):
    shutil.rmtree(folder, ignore_errors=True)
    array = zarr.create_array(folder, shape=numbers.shape, chunks=chunks, dtype=numbers.dtype, **codec)
    array[...] = numbers


def stored_bytes(folder):
    return sum(path.stat().st_size for path in pathlib.Path(folder, "c").rglob("*") if path.is_file())


def taken(clock, work):
    before = clock()
    result = work()
    return clock() - before, result


def repeated(numbers, size):
    return numpy.concatenate([numbers] * max(1, -(-size // numbers.nbytes)))[:max(len(numbers), size // (numbers.nbytes // len(numbers)))]


def read_apart(folder, options):
    command = [sys.executable, "-W", "ignore", "-c", READER, folder, CLOCKS[options.clock].__name__, str(options.repeats)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def measure(path, options, scratch):
    """{codec: {"ratio", "write", "read"}}"""
    numbers = numbers_of(path)
    chunks, long = chunks_of(numbers), repeated(numbers, options.mib << 20)
    clock, table, seconds = CLOCKS[options.clock], {}, {}
    names = codecs(numbers, chunks)
    for name, codec in names.items():
        write(f"{scratch}/{name}", numbers, chunks, codec)
        table[name] = {"ratio": numbers.nbytes / stored_bytes(f"{scratch}/{name}")}
        seconds[name] = {"write": [], "read": []}
    for turn in range(options.repeats + 1):
        for name, codec in names.items():
            folder = f"{scratch}/{name}"
            spent_writing, _ = taken(clock, lambda: write(folder, long, chunks, codec))
            array = zarr.open_array(folder, mode="r")
            spent_reading, restored = taken(clock, lambda: array[...])
            if turn == 0:  # the first turn warms caches, and checks
                assert restored.tobytes() == long.tobytes(), name
                continue
            seconds[name]["write"].append(spent_writing)
            seconds[name]["read"].append(spent_reading)
    if options.apart:
        for name in names:
            seconds[name]["read"] = [read_apart(f"{scratch}/{name}", options)]
    for name, ways in seconds.items():
        table[name] |= {way: long.nbytes / 1e6 / statistics.median(values) for way, values in ways.items()}
    return table


def print_file(path, table):
    """One row for each codec. Returns what the aims ask, for each of our own."""
    corpus.print_table(["codec", "ratio", "write MB/s", "read MB/s"],
                       [[name, f"{row['ratio']:.3f}", f"{row['write']:.0f}", f"{row['read']:.0f}"] for name, row in table.items()])
    best, pcodec, blosc = max(row["ratio"] for name, row in table.items() if not name.startswith("tdz")), table["pcodec"], table["blosc: zstd, shuffle"]
    return [[path.stem, name, f"{row['ratio'] / best:.3f}", f"{row['write'] / pcodec['write']:.2f}", f"{row['read'] / blosc['read']:.2f}"]
            for name, row in table.items() if name.startswith("tdz")]


def commit():
    found = subprocess.run(["git", "-C", pathlib.Path(__file__).parent, "describe", "--always", "--dirty"], capture_output=True, text=True)
    return found.stdout.strip() or "unknown"


def print_machine(options, core):
    model = re.search(r"model name\s*:\s*(.*)", pathlib.Path("/proc/cpuinfo").read_text())
    import numcodecs
    import pcodec
    print(f"{model[1] if model else platform.processor()}, core {core} of {os.cpu_count()}, load {os.getloadavg()[0]:.1f}; Linux {platform.release()}; "
          f"Python {platform.python_version()}, zarr {zarr.__version__}, numcodecs {numcodecs.__version__}, "
          f"pcodec {getattr(pcodec, '__version__', '?')}; tdz at commit {commit()}. {options.clock} time, median of {options.repeats}, {options.mib} MiB{', reading apart' if options.apart else ''}.\n")


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", metavar="DIR", type=pathlib.Path, help="with NAME_i16x2.bin")
    parser.add_argument("--files", nargs="+", default=FILES, metavar="FILE")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--mib", type=int, default=64)
    parser.add_argument("--clock", choices=CLOCKS, default="cpu", help="cpu: for a machine that is busy")
    parser.add_argument("--apart", action="store_true", help="each codec reads in a process of its own")
    parser.add_argument("--core", type=int, default=max(os.sched_getaffinity(0)))
    return parser.parse_args()


def main():
    options = parse()
    os.sched_setaffinity(0, {options.core})
    print_machine(options, options.core)
    quotients = []
    with tempfile.TemporaryDirectory(dir="/dev/shm") as scratch:
        for name in options.files:
            path = options.folder / name
            print(f"**{path.stem}**\n", flush=True)
            quotients.extend(print_file(path, measure(path, options, scratch)))
    corpus.print_table(["file", "codec", "ratio / best rival's (aim: above 1)", "write / pcodec (aim: 2)", "read / blosc (aim: 1.1)"], quotients)


if __name__ == "__main__":
    sys.exit(main())
