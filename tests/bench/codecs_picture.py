#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the picture and the table of codecs in device memory from what nvcomp_bench and device_decode_bench printed, one file after
the other, in docs/reports/h200-codecs.txt.

    codecs_picture.py            writes docs/reports/codecs.svg, and prints the table
    codecs_picture.py --check    changes nothing; exit status 1 if the picture is not what the report gives
"""
import math
import pathlib
import re
import sys

REPORTS = pathlib.Path(__file__).resolve().parents[2] / "docs" / "reports"
REPORT, PICTURE = REPORTS / "h200-codecs.txt", REPORTS / "codecs.svg"
TDZ = "tdz, checked"
NUMBER = r"\s*([\d.]+)"


def rows():
    """Codec -> file -> (ratio, GB/s of decompression)."""
    found, file = {}, None
    for line in REPORT.read_text().splitlines():
        if match := re.match(r"(\S+) width (\d+) tuple (\d+) order (\d+)", line):
            file = match[1].removesuffix(".bin")
            if match := re.search(r"chunk \d+, ratio" + NUMBER, line):
                ratio = float(match[1])
        elif match := re.match(r"\s+device +1024 MiB.*:" + NUMBER + " GB/s", line):
            found.setdefault(TDZ, {})[file] = (ratio, float(match[1]))
        elif match := re.match(r"\s+(values|residuals) +nvCOMP (\S+(?: \d)?) +ratio" + NUMBER + r" .* decompress" + NUMBER + " GB/s(.*)", line):
            assert "WRONG" not in match[5], line
            of = "" if match[1] == "values" else " on residuals"
            found.setdefault(f"nvCOMP {match[2]}{of}", {})[file] = (float(match[3]), float(match[4]))
        elif match := re.match(r"\s+values +(zstd -3, +\d+ threads) of the CPU: ratio" + NUMBER + " +decompress" + NUMBER, line):
            found.setdefault(re.sub(" +", " ", f"CPU: {match[1]}"), {})[file] = (float(match[2]), float(match[3]))
    return found


def mean(values):
    """Of files of equal length: all bytes over all packed bytes, or over all time."""
    return len(values) / sum(1 / value for value in values)


def means(found):
    files = set(found[TDZ])
    return {codec: tuple(mean([own[file][i] for file in files]) for i in (0, 1)) for codec, own in found.items() if set(own) == files}


def table(points):
    yield "| codec | ratio | GB/s |"
    yield "|---|---|---|"
    for codec, (ratio, speed) in sorted(points.items(), key=lambda point: -point[1][0]):
        yield f"| {codec} | {ratio:.2f} | {speed:.0f} |"


def picture(points):
    width, height, left, right, top, bottom = 760, 420, 60, 24, 34, 52
    slow, fast = 10, 2000
    low = 1.0
    high = math.ceil(4 * max(ratio for ratio, _ in points.values()) + 1) / 4

    def x(speed):
        return left + (width - left - right) * math.log(speed / slow) / math.log(fast / slow)

    def y(ratio):
        return height - bottom - (height - top - bottom) * (ratio - low) / (high - low)

    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" font-family="sans-serif" font-size="12">'
    yield "<title>Codecs in the memory of an H200: ratio by speed of decoding</title>"
    yield ("<style>rect{fill:#fff}text{fill:#222}.grid{stroke:#ddd}.tdz{fill:#c2410c}.values{fill:#2563eb}.residuals{fill:#0f766e}.cpu{fill:#777}"
           "@media (prefers-color-scheme:dark){rect{fill:#16181d}text{fill:#ddd}.grid{stroke:#333}.tdz{fill:#fb923c}.values{fill:#60a5fa}"
           ".residuals{fill:#2dd4bf}.cpu{fill:#aaa}}</style>")
    yield f'<rect width="{width}" height="{height}"/>'
    yield f'<text x="{left}" y="18">ratio, by 10^9 bytes of numbers decoded in a second</text>'
    for speed in (10, 20, 50, 100, 200, 500, 1000, 2000):
        yield f'<line class="grid" x1="{x(speed):.1f}" x2="{x(speed):.1f}" y1="{top}" y2="{height - bottom}"/>'
        yield f'<text x="{x(speed):.1f}" y="{height - bottom + 18}" text-anchor="middle">{speed}</text>'
    for quarter in range(4, int(4 * high) + 1):
        yield f'<line class="grid" x1="{left}" x2="{width - right}" y1="{y(quarter / 4):.1f}" y2="{y(quarter / 4):.1f}"/>'
        yield f'<text x="{left - 8}" y="{y(quarter / 4) + 4:.1f}" text-anchor="end">{quarter / 4:g}</text>'
    taken = []
    for codec, (ratio, speed) in sorted(points.items(), key=lambda point: -point[1][0]):
        kind = "tdz" if codec == TDZ else "cpu" if codec.startswith("CPU") else "residuals" if codec.endswith("residuals") else "values"
        at_left = x(speed) > width * 0.62
        line = y(ratio) + 4
        while any(abs(line - other) < 13 and at_left == side for other, side in taken):
            line += 13
        taken.append((line, at_left))
        yield f'<circle class="{kind}" cx="{x(speed):.1f}" cy="{y(ratio):.1f}" r="5"/>'
        label = f"{codec}: {ratio:.2f}, {speed:.0f}"
        yield (f'<text x="{x(speed) + (-10 if at_left else 10):.1f}" y="{line:.1f}"' + (' text-anchor="end"' if at_left else "") +
               (' font-weight="bold"' if codec == TDZ else "") + f">{label}</text>")
    yield f'<text x="{(left + width - right) / 2}" y="{height - 10}" text-anchor="middle">GB/s (logarithmic)</text>'
    yield "</svg>"


def main():
    points = means(rows())
    text = "\n".join(picture(points)) + "\n"
    if "--check" in sys.argv:
        sys.exit(0 if PICTURE.exists() and PICTURE.read_text() == text else 1)
    PICTURE.write_text(text)
    print("\n".join(table(points)))


main()
