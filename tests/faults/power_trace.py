# SPDX-License-Identifier: Apache-2.0
"""Reads what strace -f -v -xx writes: every system call of a program, in order, with all bytes.

A call that another thread interrupts stands in two lines ("<unfinished ...>" and "<... NAME resumed>"); here it is one Call, which
knows both lines. Whatever is not understood raises Unreadable: a trace that is read wrongly would prove nothing.
"""
import dataclasses
import os
import re
import shutil
import subprocess

MOST_BYTES = 1 << 26  # strace prints no more of a buffer


class Unreadable(Exception):
    """The trace says something that this reader, or the model of the disk, does not know."""


@dataclasses.dataclass
class Call:
    """`begin` and `end` are lines of the trace. `result` is None if the call did not return."""

    name: str
    arguments: list
    result: int | None
    begin: int
    end: int
    process: int

    def failed(self):
        return self.result is None or self.result < 0


COMPLETE = re.compile(r"(\w+)\((.*)\)\s+= (-?\d+|0x[0-9a-f]+|\?)(?:<[^<>]*>(?:\(deleted\))?)?(?: .*)?", re.DOTALL)
BROKEN_OFF = re.compile(r"(\w+)\((.*?)\s*<unfinished \.\.\.>(?:\)\s+= \?)?", re.DOTALL)
CONTINUED = re.compile(r"<\.\.\. (\w+) resumed>(.*)", re.DOTALL)
NO_CALL = re.compile(r"(---|\+\+\+) .* (---|\+\+\+)")


def works():
    """Whether strace is here and may trace."""
    if shutil.which("strace") is None:
        return False
    return subprocess.run(["strace", "-qqq", "-o", "/dev/null", "true"], stderr=subprocess.DEVNULL, check=False).returncode == 0


def run(words, folder, trace, environment, injected=(), before=()):
    """Runs the program in the folder. The variables are the program's alone, so that only the program has a preloaded library.
    `before` are options of strace. Returns the completed process and the list of calls."""
    given = [f"-E{name}={value}" for name, value in environment.items()]
    injected = [word for spec in injected for word in ("-e", f"inject={spec}")]
    done = subprocess.run(["strace", "-f", "-v", "-qqq", "-xx", "-s", str(MOST_BYTES), "-o", str(trace), *before, *given, *injected,
                           *words], cwd=folder, env={"PATH": os.environ["PATH"]}, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120, check=False)
    with open(trace, encoding="ascii") as lines:
        return done, list(calls(lines))


def calls(lines):
    """The calls, in the order in which they end; those that never end come last, without a result."""
    open_calls = {}
    for number, line in enumerate(lines):
        found = re.match(r"(\d+)\s+(.*)", line.rstrip("\n"), re.DOTALL)
        if not found:
            raise Unreadable(f"line {number + 1} has no process: {line[:200]}")
        process, text = int(found[1]), found[2]
        if NO_CALL.fullmatch(text):
            continue
        begin = number
        if resumed := CONTINUED.fullmatch(text):
            if process not in open_calls or open_calls[process][0] != resumed[1]:
                raise Unreadable(f"line {number + 1} continues a call that did not begin: {text[:200]}")
            name, first, begin = open_calls.pop(process)
            text = f"{name}({first}{resumed[2]}"
        elif broken := BROKEN_OFF.fullmatch(text):
            if process in open_calls:
                raise Unreadable(f"line {number + 1}: one thread is in two calls: {text[:200]}")
            open_calls[process] = (broken[1], broken[2], begin)
            continue
        whole = COMPLETE.fullmatch(text)
        if not whole:
            raise Unreadable(f"line {number + 1} is no call: {text[:200]}")
        result = None if whole[3] == "?" else value(whole[3])
        yield Call(whole[1], split(whole[2]), result, begin, number, process)
    for process, (name, arguments, begin) in open_calls.items():
        yield Call(name, split(arguments), None, begin, number + 1, process)


BORDERS = re.compile(r'"[^"]*"|[(\[{]|[)\]}]|,|"')


def split(text):
    """The arguments of a call: cut at the commas that stand in no string, list or structure. With -xx a string holds only \\xNN."""
    arguments, depth, begin = [], 0, 0
    for border in BORDERS.finditer(text):
        if border[0] == '"':
            raise Unreadable(f"a string does not end: {text[:200]}")
        if border[0] in "([{":
            depth += 1
        elif border[0] in ")]}":
            depth -= 1
        elif border[0] == "," and depth == 0:
            arguments.append(text[begin:border.start()].strip())
            begin = border.end()
    if depth != 0:
        raise Unreadable(f"a list does not end: {text[:200]}")
    last = text[begin:].strip()
    return arguments + [last] if last or arguments else arguments


def content(argument):
    """The bytes of a string."""
    found = re.fullmatch(r'"((?:\\x[0-9a-f]{2})*)"', argument)
    if not found:
        raise Unreadable(f"this string is cut, or no string: {argument[:80]}..{argument[-20:]}")
    return bytes.fromhex(found[1].replace("\\x", ""))


def name_of(argument):
    return os.fsdecode(content(argument))


def pieces(argument):
    """The bytes of a list of buffers, joined (writev)."""
    rest = re.sub(r'\{iov_base="(?:\\x[0-9a-f]{2})*", iov_len=\d+\}', "", argument)
    if rest.strip("[], ") != "":
        raise Unreadable(f"this list of buffers is cut: {argument[:80]}..{argument[-20:]}")
    return b"".join(content(found) for found in re.findall(r'iov_base=("[^"]*")', argument))


def number(argument):
    """A number. A descriptor may have its path after it (strace -y)."""
    found = re.fullmatch(r"(-?\d+|0x[0-9a-f]+)(<.*>(\(deleted\))?)?", argument)
    if not found:
        raise Unreadable(f"this is no number: {argument[:80]}")
    return value(found[1])


def value(digits):
    """umask gives an octal number."""
    return int(digits, 8) if re.fullmatch("0[0-7]+", digits) else int(digits, 0)


def flags(argument):
    return set(re.split(r"\|", argument))
