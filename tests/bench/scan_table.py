#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scan_bench's CSV as the tables of docs/performance.md.

    scan_table.py docs/notes/gpu-scan-h100.csv
"""
import csv
import sys

TUPLES = range(1, 9)
RIVALS = ("cub", "look-back-per-order", "sam", "kogge-stone", "blelloch")  # the chained scan was measured in few cells
CELLS = ((1, 1), (1, 4), (1, 8), (4, 1), (4, 4), (8, 1), (8, 8))  # order, tuple


def read(name):
    with open(name, newline="") as file:
        return {
            (row["method"], row["shape"], row["layout"], int(row["word"]), int(row["order"]), int(row["tuple"])): row["share"]
            for row in csv.DictReader(file)
        }


def short(share):
    return f"{float(share):.2f}".removeprefix("0")


def own_table(shares):
    print("| bytes, order | batch, tuple 1 | " + " | ".join(map(str, TUPLES[1:])), end=" | ")
    print("chain, tuple 1 | " + " | ".join(map(str, TUPLES[1:])) + " |")
    print("|---" * 17 + "|")
    for word in (1, 2, 4, 8):
        for order in range(1, 9):
            cells = [
                short(shares["tdz", shape, "interleaved", word, order, tuple_])
                for shape in ("batch", "chain")
                for tuple_ in TUPLES
            ]
            print(f"| {word}, {order} | " + " | ".join(cells) + " |")


def rival_table(shares):
    print("| bytes, method | " + " | ".join(f"{order}, {tuple_}" for order, tuple_ in CELLS) + " |")
    print("|---" * (len(CELLS) + 1) + "|")
    for word in (1, 2, 4, 8):
        for method in ("tdz", *RIVALS):
            cells = [short(shares[method, "chain", "interleaved", word, *cell]) for cell in CELLS]
            print(f"| {word}, {method} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    table = read(sys.argv[1])
    own_table(table)
    print()
    rival_table(table)
