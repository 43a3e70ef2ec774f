# SPDX-License-Identifier: Apache-2.0
"""What do the tests not run? Reads gcovr's JSON and prints, by name, the functions that nothing called and the files with
lines or branches that nothing took: coverage_gaps.py TRACEFILE. tests/coverage.sh calls it.

A template or a constructor is several functions of one line; it counts as called if one of them was.
"""

import collections
import json
import sys


def lines_of(file):
    """Its lines that have code; gcovr before version 7 lists the others too."""
    return [line for line in file["lines"] if not line.get("gcovr/noncode")]


def functions_never_called(file):
    """(line, name) of each, by line."""
    by_line = collections.defaultdict(list)
    for function in file.get("functions", []):
        if "execution_count" in function:  # gcovr 8 also names excluded ones
            by_line[function["lineno"]].append(function)
    return [
        (line, functions[0].get("demangled_name") or functions[0]["name"])
        for line, functions in sorted(by_line.items())
        if not any(function["execution_count"] for function in functions)
    ]


def branches(file):
    """(taken, all) of the lines that were run: of another line the list of lines says enough."""
    found = [branch["count"] > 0 for line in lines_of(file) if line["count"] for branch in line.get("branches", [])]
    return sum(found), len(found)


def spans(numbers):
    """Line numbers as text: 3-5, 9."""
    runs = []
    for number in sorted(numbers):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)


def main(path):
    with open(path) as trace:
        files = sorted(json.load(trace)["files"], key=lambda file: file.get("file") or file["filename"])
    if not files:
        sys.exit(f"{path} names no file: was it made with other filters, or before the tests ran?")

    print("\nFunctions that no test called:")
    for file in files:
        name = file.get("file") or file["filename"]
        for line, function in functions_never_called(file):
            print(f"  {name}:{line}: {function}")

    print("\nFiles with lines that no test ran, or with branches of run lines that no test took:")
    for file in files:
        name = file.get("file") or file["filename"]
        # gcovr 8 lists a line of a template once for each of its functions.
        missed = {line["line_number"] for line in lines_of(file)} - {
            line["line_number"] for line in lines_of(file) if line["count"]
        }
        taken, known = branches(file)
        if missed or taken < known:
            print(f"  {name}: {known - taken} of {known} branches" + (f"; lines {spans(missed)}" if missed else ""))


if __name__ == "__main__":
    main(*sys.argv[1:])
