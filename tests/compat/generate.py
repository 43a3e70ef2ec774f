#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the files of a version, once, when it is released: generate.py TDZ FOLDER WRITE_PLAN. FOLDER has the name of the
version, WRITE_PLAN is the program tdz_write_plan.

Writes NAME.tdz, and its structure as NAME.json.
"""
import json
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True  # nothing of it belongs into the tree
from cases import CASES  # noqa: E402
from structure import structure  # noqa: E402


def compress(tdz, case, target, write_plan):
    if case.plan:
        target.write_bytes(subprocess.run([write_plan, case.plan], input=case.original, stdout=subprocess.PIPE, check=True).stdout)
        return
    words = [tdz, "compress", "-q", *case.options, "-o", str(target)]
    if case.piped:
        subprocess.run(words, input=case.original, check=True)
        return
    source = target.with_suffix(".original")
    source.write_bytes(case.original)
    subprocess.run([*words, str(source)], check=True)
    source.unlink()


def main():
    tdz, folder, write_plan = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
    folder.mkdir()
    for case in CASES:
        stored = folder / f"{case.name}.tdz"
        compress(tdz, case, stored, write_plan)
        text = json.dumps(structure(tdz, stored), indent=1)
        (folder / f"{case.name}.json").write_text(text + "\n")


if __name__ == "__main__":
    main()
