#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does every file reach the headers of what it uses by its own includes? own_includes.py ROOT

Builds with precompiled headers and joined folders (cmake/precompiled.cmake) do not see an include that is missing. Looked at are the
names of the precompiled headers; and in codec/ and app/, where folders are joined, types and functions that one header of the tree
declares. Builds with -DTDZ_PRECOMPILED_HEADERS=OFF, as the thread sanitizer of tests/full.sh, find the same and more.
"""
import functools
import os
import pathlib
import re
import subprocess
import sys

JOINED = ("formats/", "kernels/steps/", "kernels/uniform/", "codec/", "app/")
FOLDERS = ("formats", "kernels", "codec", "app", "bindings", "samples", "tests")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.MULTILINE)
# What a name needs: one of the files of g++'s library, or of another library, that declare it.
NEEDS = {
    r"std::(array|to_array)\b": "array",
    r"std::function\b": "std_function.h",
    r"std::(unique_ptr|make_unique\w*)\b": "unique_ptr.h",
    r"std::(shared_ptr|make_shared)\b": "shared_ptr.h",
    r"std::(optional|nullopt)\b": "optional",
    r"std::(span|as_bytes|as_writable_bytes)\b": "span",
    r"std::(string|to_string)\b": "basic_string.h",
    r"std::string_view\b": "string_view",
    r"std::vector\b": "stl_vector.h",
    r"std::(move|forward|exchange|swap)\(": "move.h",
    r"std::pair\b": "stl_pair.h",
    r"std::u?int(8|16|32|64)_t\b": "stdint.h",
    r"std::(size_t|ptrdiff_t|byte)\b": "stddef.h",
    r"std::(sort|stable_sort|any_of|all_of|none_of|find_if|count_if|transform|generate|shuffle|nth_element|clamp)\b": "stl_algo.h",
    r"std::ranges::(sort|copy|any_of|all_of|none_of|find|find_if|count|transform|generate|fill|equal)\b": "ranges_algo.h",
    r"\b(TEST_CASE|SUBCASE)\(": "doctest.h",
    r"\bfmt::format\(": "fmt.h",
}
NAME_OF_TYPE = re.compile(r"^(?:template <[^\n]*>\s)?(?:struct|class|enum class) (?:alignas\(\w+\) )?([A-Z]\w+)(?: final)?(?: :[^:;{]*)? ?\{",
                          re.MULTILINE)
NAME_OF_FUNCTION = re.compile(r"^(?!return|using|namespace|#|//)[A-Za-z][\w:<>,*& \[\]]*[ &*>](\w+)\([^\n]*", re.MULTILINE)


STRING = re.compile(r'"(?:\\.|[^"\\\n])*"')


def without_comments(text):
    return re.sub(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/', lambda found: found[0] if found[0][0] == '"' else " ", text, flags=re.DOTALL)


class Tree:
    def __init__(self, root):
        self.root = root
        self.text = {}
        for folder in FOLDERS:
            for path in sorted((root / folder).rglob("*")):
                if path.suffix in (".cpp", ".hpp", ".cu", ".cuh") and path.is_file():
                    self.text[str(path.relative_to(root))] = without_comments(path.read_text())
        self.includes = {name: INCLUDE.findall(text) for name, text in self.text.items()}

    def found(self, name, includer):
        """The file of the tree that an include names."""
        for folder in (os.path.dirname(includer), "", "codec/include"):
            path = os.path.normpath(os.path.join(folder, name))
            if path in self.text:
                return path
        return None

    def reached(self, name):
        """The files of the tree that a file includes, and itself; and the other headers that they name."""
        own, others, left = set(), set(), [name]
        while left:
            at = left.pop()
            if at in own:
                continue
            own.add(at)
            for _, include in self.includes[at]:
                found = self.found(include, at)
                left.append(found) if found else others.add(include)
        return own, others


@functools.lru_cache(maxsize=None)
def files_of(header):
    """The last part of the name of every file that this header of the system includes, and its own."""
    done = subprocess.run(["g++", "-std=c++20", "-M", "-x", "c++", "-"], input=f"#include <{header}>\n", capture_output=True, text=True,
                          check=False)
    return {os.path.basename(file) for file in done.stdout.split()} | {os.path.basename(header)}


def declared(tree):
    """Names that exactly one header of the tree declares, and which."""
    homes = {}
    for name, text in tree.text.items():
        if name.endswith((".hpp", ".cuh")):
            for pattern in (NAME_OF_TYPE, NAME_OF_FUNCTION):
                for found in pattern.findall(text):
                    homes.setdefault(found, set()).add(name)
    return {name: next(iter(files)) for name, files in homes.items() if len(files) == 1 and len(name) > 3}


def findings(tree):
    homes = declared(tree)
    words = re.compile(r"(?<![\w.])(?<!->)([A-Za-z]\w{3,})\b(\()?")
    for name in tree.text:
        if not name.endswith((".cpp", ".cu")):
            continue
        own, others = tree.reached(name)
        text = STRING.sub('""', INCLUDE.sub("", tree.text[name]))
        files = set().union(*(files_of(header) for header in others))
        for pattern, needed in NEEDS.items():
            found = re.search(pattern, text)
            if found and needed not in files:
                yield name, found[0], needed
        if not name.startswith(JOINED):
            continue
        for word in sorted({word for word, call in words.findall(text) if word in homes and (call or word[0].isupper())}):
            if homes[word] in own or homes[word].startswith(("bindings/", "tests/")):
                continue
            declares = rf"(struct|class|class\.\.\.|enum class|concept|using|typename) {word}\b|[\w>&*] {word}(\(|;| =|\{{|,|\))|\b{word}:"
            if not any(re.search(declares, tree.text[file]) for file in own):
                yield name, word, homes[word]


def main():
    tree = Tree(pathlib.Path(sys.argv[1]).resolve())
    found = list(findings(tree))
    for name, what, needed in found:
        print(f"{name}: uses {what}, but includes nothing that includes {needed}")
    print(f"{len(tree.text)} files, {len(found)} findings")
    return 1 if found or not tree.text else 0


sys.exit(main())
