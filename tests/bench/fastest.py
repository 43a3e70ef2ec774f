#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures `tdz --fastest` beside blosc2's LZ4 with bitshuffle and prints the tables of docs/bitshuffle.md.

    fastest.py --tdz PROGRAM --files FOLDER [--mib 256] [--repeats 9] [--scratch /dev/shm]

Files are those of ratio.py: NAME_i16x2.bin. blosc2 is told the length of a number; tdz is told nothing. All takes turns in one
process that stays on one core; figures are medians. Lone blocks of 1 MiB go through the interface for C (from Python: tdz.encode_block
and tdz.decode_block), each with a plan that the search of the fastest effort chose for the file. Whole files are repeated to --mib in a
folder in memory, and go to /dev/null. Needs the Python package tdz and blosc2.
"""
import argparse
import math
import os
import pathlib
import platform
import shutil
import statistics
import subprocess
import tempfile

import blosc2
import corpus
import ratio

import tdz

MIB = 1 << 20
BLOCKS = 16  # of a file, from its begin


def mean(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values))


def blocks_of(data):
    return [data[at:at + MIB] for at in range(0, max(len(data) - MIB, 0) + 1, MIB)][:BLOCKS]


def bitshuffle(block, word):
    return blosc2.compress2(block, typesize=word, codec=blosc2.Codec.LZ4, filters=[blosc2.Filter.BITSHUFFLE], clevel=5, nthreads=1)


def measure_blocks(path, repeats):
    """{"tdz": (ratio, GB/s in, GB/s out), "blosc2": the same}"""
    data = path.read_bytes()
    word, blocks, plan = ratio.fields(path)[0][1], blocks_of(data), tdz.plan(data, effort="fastest")
    out, back, total = bytearray(2 * MIB), bytearray(len(blocks[0])), sum(map(len, blocks))
    ours, theirs = [bytes(tdz.encode_block(b, plan)) for b in blocks], [bitshuffle(b, word) for b in blocks]
    for block, stored in zip(blocks, ours):
        assert bytes(tdz.decode_block(stored)) == block, path

    def rate(work):
        return total / 1e9 / corpus.median_seconds(work, repeats)

    return {
        "tdz": (total / sum(map(len, ours)), rate(lambda: [tdz.encode_block(b, plan, out=out) for b in blocks]),
                rate(lambda: [tdz.decode_block(b, out=back) for b in ours])),
        "blosc2": (total / sum(map(len, theirs)), rate(lambda: [bitshuffle(b, word) for b in blocks]),
                   rate(lambda: [blosc2.decompress2(b, dst=back, nthreads=1) for b in theirs])),
    }


def run(command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def measure_program(path, options, scratch):
    """GB/s of compressing and restoring a long file on one core, with all digests."""
    data, long, stored = path.read_bytes(), scratch / "long", scratch / "long.tdz"
    with open(long, "wb") as file:
        for _ in range(-(-options.mib * MIB // len(data))):
            file.write(data)
    run([options.tdz, "-q", "--fastest", "-T1", "-f", "-o", stored, long])
    size = long.stat().st_size / 1e9
    into = corpus.median_seconds(lambda: run([options.tdz, "-q", "--fastest", "-T1", "-c", long]), options.repeats)
    back = corpus.median_seconds(lambda: run([options.tdz, "-q", "-d", "-T1", "-c", stored]), options.repeats)
    return size / into, size / back


def whole_ratio(path, options, scratch):
    run([options.tdz, "-q", "--fastest", "-T1", "-f", "-o", scratch / "whole.tdz", path])
    return path.stat().st_size / (scratch / "whole.tdz").stat().st_size


def whole_bitshuffle(path):
    data, word = path.read_bytes(), ratio.fields(path)[0][1]
    pieces = [data[at:at + MIB] for at in range(0, len(data), MIB)]
    return len(data) / sum(len(bitshuffle(piece, word)) for piece in pieces)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tdz", required=True)
    parser.add_argument("--files", type=pathlib.Path, required=True)
    parser.add_argument("--mib", type=int, default=256)
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--scratch", type=pathlib.Path, default=pathlib.Path("/dev/shm"))
    options = parser.parse_args()
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    blosc2.set_nthreads(1)
    scratch = pathlib.Path(tempfile.mkdtemp(dir=options.scratch))
    try:
        report(options, scratch)
    finally:
        shutil.rmtree(scratch)


def report(options, scratch):
    rows, ratios, ours, theirs = [], [], [], []
    for path in corpus.corpus_files(options.files):
        if "text" in path.stem:
            continue
        ratios.append((whole_ratio(path, options, scratch), whole_bitshuffle(path)))
        row = [path.stem, f"{ratios[-1][0]:.3f}", f"{ratios[-1][1]:.3f}"]
        if path.suffix == ".bin" and path.stat().st_size >= MIB:
            speed = measure_blocks(path, options.repeats)
            ours.append(speed["tdz"][1:])
            theirs.append(speed["blosc2"][1:])
            row += [f"{speed[name][way]:.2f}" for way in (1, 2) for name in ("tdz", "blosc2")]
        rows.append(row + [""] * (7 - len(row)))
    names = ["file", "ratio", "blosc2", "encode GB/s", "blosc2", "decode GB/s", "blosc2"]
    corpus.print_table(names, rows)
    quotients = [ours / theirs for ours, theirs in ratios]
    print(f"\nRatio, geometric mean of {len(ratios)} files: {mean(r[0] for r in ratios):.3f}; blosc2 {mean(r[1] for r in ratios):.3f}; "
          f"file by file {statistics.mean(quotients):.2f} times blosc2's in the mean.")
    for way, name in enumerate(("Encoding", "Decoding")):
        print(f"{name}, geometric means: {mean(s[way] for s in ours):.2f} GB/s; blosc2 {mean(s[way] for s in theirs):.2f}; "
              f"{mean(a[way] / b[way] for a, b in zip(ours, theirs)):.2f} times.")
    rows = []
    for path in corpus.corpus_files(options.files):
        if path.stem.startswith(("dem", "fits", "geoid", "mri", "audio")):
            into, back = measure_program(path, options, scratch)
            rows.append([path.stem, f"{into:.2f}", f"{back:.2f}"])
    print()
    corpus.print_table(["tdz --fastest -T1", "compress GB/s", "restore GB/s"], rows)
    print(f"\n{platform.processor() or platform.machine()}, blosc2 {blosc2.__version__}, {options.mib} MiB, medians of {options.repeats}.")


if __name__ == "__main__":
    main()
