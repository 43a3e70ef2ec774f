#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does tdz still read files of every released version, and does today's writer give them the same structure?

check.py TDZ FORMAT.md WRITE_PLAN      exits with 77 if the page of Python in FORMAT.md cannot run
"""
import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # nothing of it belongs into the tree
from cases import CASES  # noqa: E402
from generate import compress  # noqa: E402
from structure import structure  # noqa: E402

HERE = pathlib.Path(__file__).parent
TDZ, WRITE_PLAN = os.path.realpath(sys.argv[1]), os.path.realpath(sys.argv[3])
faults = []


def check(good, what):
    if not good:
        faults.append(what)
        print(what)


def output(*words, **how):
    done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, check=False, **how)
    return done.stdout if done.returncode == 0 else None


def stored_files():
    """(path, case) of every file of every version."""
    by_name = {case.name: case for case in CASES}
    for path in sorted(HERE.glob("*/*.tdz")):
        yield path, by_name[path.stem]


def check_reader(page, path, case, scratch):
    where = path.relative_to(HERE)
    check(output(TDZ, "-dc", path) == case.original, f"{where}: decodes to other bytes")
    check(output(TDZ, "-dc", "-", stdin=path.open("rb")) == case.original, f"{where}: decodes to other bytes from a pipe")
    check(output(TDZ, "verify", "-q", path) is not None, f"{where}: is not verified")
    part = case.original[1000:1777]
    if len(part) == 777:
        check(output(TDZ, "-dc", "--range", "1000:777", path) == part, f"{where}: a part of it is other bytes")
    recovered = scratch / "recovered"
    check(output(TDZ, "recover", "-q", "-f", path, "-o", recovered) is not None and recovered.read_bytes() == case.original,
          f"{where}: recover finds other bytes")
    restored = scratch / "restored"
    check(output(sys.executable, page, path, restored) is not None and restored.read_bytes() == case.original,
          f"{where}: FORMAT.md's page decodes to other bytes")
    then = json.loads(path.with_suffix(".json").read_text())
    check(structure(TDZ, path) == then, f"{where}: another structure is seen in it than when it was written")
    check_version(where, then)


def check_version(where, then):
    """Steps of format 1.1 stand only in streams whose header says so: tdz 0.1.0 names these files unsupported."""
    for stream in then["streams"]:
        steps = [step for plan in stream["plans"] for column in plan["columns"] for step in column["steps"]]
        newer = any(step.startswith(("packed(", "grid(")) for step in steps)
        check(stream["format_version"] == "1.1" or not newer, f"{where}: has steps of format 1.1, and its header says 1.0")


def check_writer(path, case, scratch):
    """Compares with today's writer; it writes only the newest version of the format."""
    today = scratch / "today.tdz"
    compress(TDZ, case, today, WRITE_PLAN)
    then = json.loads(path.with_suffix(".json").read_text())
    check(structure(TDZ, today) == then, f"{path.relative_to(HERE)}: today's writer builds it in another way")
    today.unlink()


def other_python():
    """Continues with Debian's Python, if this is another one: that may have numpy."""
    debians = "/usr/bin/python3"
    if sys.executable != debians and os.path.exists(debians):
        os.execv(debians, [debians, *sys.argv])


def page_of(document, scratch):
    page = scratch / "page.py"
    page.write_text(re.search(r"^```python\n(.*?)^```$", pathlib.Path(document).read_text(), re.M | re.S)[1])
    return page


def main():
    if importlib.util.find_spec("numpy") is None:
        other_python()
    if importlib.util.find_spec("numpy") is None or shutil.which("zstd") is None:
        print("Skipped: FORMAT.md's page needs numpy and zstd")
        return 77
    files = list(stored_files())
    newest = max((path.parent.name for path, _ in files), key=lambda version: [int(n) for n in version.split(".")])
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        page = page_of(sys.argv[2], scratch)
        for path, case in files:
            check_reader(page, path, case, scratch)
            if path.parent.name == newest and case.pinned:
                check_writer(path, case, scratch)
    check({path.stem for path, _ in files if path.parent.name == newest} == {case.name for case in CASES},
          f"{newest} lacks a case; write it with generate.py")
    print(f"{len(files)} files of {len({path.parent for path, _ in files})} versions, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
