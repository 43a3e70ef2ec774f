#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Are functions short: median at most 10 lines, 9 of 10 at most 45, none above 80? function_lengths.py ROOT [--all]

A function's lines are those from the first of its signature to its closing brace. Lambdas inside one belong to it.
"""
import pathlib
import re
import statistics
import sys

FOLDERS = ("formats", "kernels", "codec", "app", "samples")
MEDIAN, NINE_OF_TEN, LONGEST = 10, 45, 80

NOISE = re.compile(
    r"""//[^\n]* | /\*.*?\*/                                       # comments
      | ^[ \t]*\#(?:[^\n\\]|\\\n|\\.)*                             # preprocessor lines and their continuations
      | (?:\bu8|\b[uUL])?R"(?P<mark>[^\s()\\]*)\(.*?\)(?P=mark)"   # raw strings
      | "(?:[^"\\\n]|\\.)*"                                        # strings
      | (?<![0-9A-Fa-f])'(?:[^'\\\n]|\\.)+'                        # characters, but not 1'000""",
    re.X | re.S | re.M,
)
TOKEN = re.compile(r"::|->|\[\[|\]\]|[A-Za-z_]\w*|[^\sA-Za-z_]")
CLOSING = {"{": "}", "(": ")", "[": "]"}
SCOPES = {"namespace", "class", "struct", "union", "extern"}


def blanked(match):
    """Keeps the line count; what was a string stays an operand."""
    return ("0" if match[0][-1] in "\"'" else " ") + "\n" * match[0].count("\n")


def tokens_of(text):
    line, last, tokens = 1, 0, []
    text = NOISE.sub(blanked, text)
    for match in TOKEN.finditer(text):
        line += text.count("\n", last, match.start())
        last = match.start()
        tokens.append((match[0], line))
    return tokens


def skip(tokens, at):
    """The index behind the bracket that closes the one at `at`."""
    opening, depth = tokens[at][0], 0
    for i in range(at, len(tokens)):
        if tokens[i][0] == opening:
            depth += 1
        elif tokens[i][0] == CLOSING[opening]:
            depth -= 1
            if depth == 0:
                return i + 1
    return len(tokens)


def without_template(words):
    """template <...>, whose defaults and keywords say nothing of what follows, taken off the front."""
    while words[:2] == ["template", "<"]:
        depth = 0
        for i, word in enumerate(words):
            depth += (word == "<") - (word == ">")
            if depth == 0 and word == ">":
                break
        words = words[i + 1:]
    return words


def opens(head):
    """What a brace behind these top-level tokens begins: a scope, a function, or a value in braces."""
    words = without_template([word for word, _ in head])
    if "operator" not in words and "=" in words:
        return "function" if words[-1] == "()" and "[]" in words else "value"
    if "()" in words:
        in_member_list = ":" in words[words.index("()"):]
        return "value" if in_member_list and re.match(r"\w|>", words[-1]) else "function"
    return "scope" if SCOPES & set(words) else "value"


def functions(tokens):
    """(name, first line, lines) of every function body outside another one."""
    at, head = 0, []
    while at < len(tokens):
        token, line = tokens[at]
        if token in "([":
            word = "()" if token == "(" else "[]"
            name = tokens[at - 1][0] if at else ""
            at = skip(tokens, at)
            head.append((word, line))
            if word == "()" and name == "operator":  # operator()(...)
                continue
        elif token == "{":
            kind = opens(head)
            if kind == "scope":
                head, at = [], at + 1
                continue
            end = skip(tokens, at)
            if kind == "function":
                first = head[0][1]
                yield name_of(head), first, tokens[end - 1][1] - first + 1
                head = []
            else:
                head.append(("{}", line))
            at = end
        else:
            if token in ";}" or (token == ":" and [word for word, _ in head] in (["public"], ["private"], ["protected"])):
                head = []
            else:
                head.append((token, line))
            at += 1


def name_of(head):
    words = [word for word, _ in head]
    call = words.index("()") if "()" in words else len(words)
    return words[call - 1] if call else "?"


def measure(root):
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".cpp", ".hpp", ".cu", ".cuh"):
                for name, line, length in functions(tokens_of(path.read_text())):
                    yield length, f"{path.relative_to(root)}:{line}: {name}"


def main():
    found = sorted(measure(pathlib.Path(sys.argv[1])), reverse=True)
    if not found:
        sys.exit("no function found")
    lengths = [length for length, _ in found]
    median = statistics.median(lengths)
    nine_of_ten = lengths[len(lengths) // 10]
    print(f"{len(found)} functions: median {median:g} lines, 9 of 10 at most {nine_of_ten}, longest {lengths[0]}")
    for length, where in found if "--all" in sys.argv else found[:10]:
        print(f"{length:5} {where}")
    return median > MEDIAN or nine_of_ten > NINE_OF_TEN or lengths[0] > LONGEST


if __name__ == "__main__":
    sys.exit(main())
