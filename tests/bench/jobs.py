#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures jobs over many short files and prints the table of docs/ratio.md.

    jobs.py --tdz PROGRAM --files FOLDER [--bytes 200000] [--pieces 63] [--repeats 5] [--scratch /dev/shm]

Files are those of ratio.py: NAME_i16x2.bin. Each job is a folder of pieces, spread over a file, or over three files of different kinds. `tdz -r`
compresses a folder into another one, with what it remembers of earlier files and with --independent, and so does `zstd -3 -r`. They take turns
on one pinned core, and write into memory; figures are medians of processor time. Needs only Python and the two programs.
"""
import argparse
import os
import pathlib
import shutil
import statistics
import subprocess
import tempfile

import corpus

MIXED = ("audio_sf2", "dem", "geoid")
WAYS = {  # of compressing one folder into another
    "zstd -3": ["zstd", "-q", "-f", "-3", "-r", "--output-dir-mirror"],
    "--independent": ["-q", "-f", "-r", "--independent", "--output-dir"],
    "default": ["-q", "-f", "-r", "--output-dir"],
    "--fast": ["-q", "-f", "-r", "--fast", "--output-dir"],
    "--fastest": ["-q", "-f", "-r", "--fastest", "--output-dir"],
}


def cut(path, folder, length, pieces):
    """Pieces at whole records of 48 bytes, so that every usual tuple begins where it should."""
    data = path.read_bytes()
    folder.mkdir(parents=True, exist_ok=True)
    for i in range(pieces):
        at = (len(data) - length) * i // max(pieces - 1, 1) // 48 * 48
        (folder / f"{path.stem}_{i:03}.bin").write_bytes(data[at:at + length])


def jobs(files, scratch, options):
    mixed = [path for path in files if path.stem.startswith(MIXED)]
    for path in mixed:
        cut(path, scratch / "mixed", options.bytes, options.pieces)
    if mixed:
        yield "mixed: " + ", ".join(MIXED)
    for path in files:
        if path.stat().st_size >= 2 * options.bytes:
            cut(path, scratch / path.stem, options.bytes, options.pieces)
            yield path.stem


def measure(command, folder, out):
    """Processor seconds, and the bytes that were written."""
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    before = os.times()
    subprocess.run([*command, str(out), str(folder)], check=True, stdout=subprocess.DEVNULL)
    after = os.times()
    seconds = after.children_user - before.children_user + after.children_system - before.children_system
    return seconds, sum(path.stat().st_size for path in out.rglob("*") if path.is_file())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tdz", type=pathlib.Path, required=True)
    parser.add_argument("--files", type=pathlib.Path, required=True)
    parser.add_argument("--bytes", type=int, default=200000)
    parser.add_argument("--pieces", type=int, default=63)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--scratch", default="/dev/shm")
    options = parser.parse_args()
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    print("| job | MB | " + " | ".join(f"{way}: MB/s | ratio" for way in WAYS) + " |")
    print("|" + "---|" * (2 + 2 * len(WAYS)))
    with tempfile.TemporaryDirectory(dir=options.scratch) as name:
        scratch = pathlib.Path(name)
        for job in jobs(corpus.corpus_files(options.files), scratch, options):
            folder = scratch / job.split(":")[0]
            original = sum(path.stat().st_size for path in folder.iterdir())
            taken = {way: [] for way in WAYS}
            for _ in range(options.repeats):
                for way, words in WAYS.items():
                    command = words if words[0] == "zstd" else [str(options.tdz), *words]
                    taken[way].append(measure(command, folder, scratch / "out"))
            cells = []
            for way in WAYS:
                seconds = statistics.median(one[0] for one in taken[way])
                cells.append(f"{original / seconds / 1e6:.0f} | {original / taken[way][0][1]:.2f}")
            print(f"| {job} | {original / 1e6:.1f} | " + " | ".join(cells) + " |", flush=True)
            shutil.rmtree(folder)


if __name__ == "__main__":
    main()
