#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the picture of codecs in device memory, and the table of it, from what gpu_codecs.sh printed, in
docs/reports/h100-codecs.txt. The means are over the files that tdz packed; a file that it stored as it was is named on the page.

    codecs_picture.py            writes docs/codecs.svg, and prints the table
    codecs_picture.py --check    changes nothing; exit status 1 if the picture is not what the report gives
"""
import math
import pathlib
import re
import sys

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"
REPORT, PICTURE = DOCS / "reports" / "h100-codecs.txt", DOCS / "codecs.svg"
TDZ = ("tdz", "tdz --fastest --gpu")
NUMBER = r"\s*([\d.]+)"


def rows():
    """(kind, name) of a codec -> file -> (ratio, GB/s of encoding or None, GB/s of decoding)."""
    found, file, ratio = {}, None, None
    for line in REPORT.read_text().splitlines():
        if match := re.fullmatch(r"(\S+)\.bin", line):
            file = match[1]
        elif match := re.match(r"\s+tdz --fastest --gpu, ratio" + NUMBER, line):
            ratio = float(match[1])
        elif match := re.match(r"\s+device +1024 MiB.*?:" + NUMBER + r" GB/s.* (\d+) by CPU", line):
            if match[2] == "0" and ratio > 1:
                found.setdefault(TDZ, {})[file] = (ratio, None, float(match[1]))
        elif match := re.match(r"\s+encode +blocks +1024 MiB" + NUMBER + r" GB/s.* (\d+) by CPU", line):
            if match[2] == "0" and file in found.get(TDZ, {}):
                found[TDZ][file] = (ratio, float(match[1]), found[TDZ][file][2])
        elif match := re.match(r"\s+(values|residuals) +nvCOMP (\S+(?: \d)?) +ratio" + NUMBER + r" +compress" + NUMBER +
                               r" +decompress" + NUMBER + " GB/s(.*)", line):
            assert "WRONG" not in match[6], line
            found.setdefault((match[1], match[2]), {})[file] = (float(match[3]), float(match[4]), float(match[5]))
        elif match := re.match(r"\s+values +(zstd -3), +(\d+) threads of the CPU: ratio" + NUMBER + " +decompress" + NUMBER, line):
            found.setdefault(("cpu", f"{match[1]}, {match[2]} threads of the CPU"), {})[file] = (float(match[3]), None, float(match[4]))
    return found


def mean(values):
    """Of files of equal length: all bytes over all packed bytes, or over all time."""
    return None if None in values else len(values) / sum(1 / value for value in values)


def means(found):
    files = set(found[TDZ])
    return {codec: tuple(mean([own[file][i] for file in files]) for i in range(3)) for codec, own in found.items() if set(own) >= files}


def table(points):
    names = {"tdz": "{}", "values": "nvCOMP {}", "residuals": "nvCOMP {}, on residuals", "cpu": "{}"}
    yield "| codec | ratio | GB/s of encoding | GB/s of decoding |"
    yield "|---|---|---|---|"
    for (kind, name), (ratio, encoding, decoding) in sorted(points.items(), key=lambda point: -point[1][0]):
        yield f"| {names[kind].format(name)} | {ratio:.2f} | {'' if encoding is None else format(encoding, '.0f')} | {decoding:.0f} |"


class Labels:
    """Finds room for each label: beside its circle, above or below it, then farther away."""

    SIZE, LETTER, RADIUS = 12, 7.7, 6  # wide enough for every usual sans-serif font

    def __init__(self, circles, right):
        self.taken = [(x - self.RADIUS, y - self.RADIUS, x + self.RADIUS, y + self.RADIUS) for x, y in circles]
        self.right = right

    def place(self, x, y, text):
        width = self.LETTER * len(text)
        for away in range(0, 80, 4):
            for dx, dy in ((9, 0), (-9 - width, 0), (-width / 2, -13 - away), (-width / 2, 13 + away), (9, -away), (9, away), (-9 - width, -away),
                           (-9 - width, away)):
                box = (x + dx, y + dy - self.SIZE / 2, x + dx + width, y + dy + self.SIZE / 2)
                if box[2] < self.right and not any(self.overlap(box, other) for other in self.taken):
                    self.taken.append(box)
                    return box[0], y + dy + 4
        raise SystemExit(f"no room for {text}")

    @staticmethod
    def overlap(one, other):
        return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


STYLE = ("rect{fill:#fff}text{fill:#222}.grid{stroke:#ddd}.tdz{fill:#c2410c;stroke:#c2410c}.values{fill:#2563eb;stroke:#2563eb}"
         ".residuals{fill:#fff;stroke:#0f766e}.cpu{fill:#777;stroke:#777}text.tdz,text.values,text.residuals,text.cpu{stroke:none}"
         "text.residuals{fill:#0f766e}"
         "@media (prefers-color-scheme:dark){rect{fill:#16181d}text{fill:#ddd}.grid{stroke:#333}.tdz{fill:#fb923c;stroke:#fb923c}"
         ".values{fill:#60a5fa;stroke:#60a5fa}.residuals{fill:#16181d;stroke:#2dd4bf}.cpu{fill:#aaa;stroke:#aaa}text.residuals{fill:#2dd4bf}}")
LEGEND = (("tdz", "tdz, its own plans: digests compared"), ("values", "nvCOMP, numbers as they are"),
          ("residuals", "nvCOMP, residuals of tdz: to be integrated afterwards"), ("cpu", "zstd -3, 16 threads of the CPU"))


def picture(points):
    width, height, left, right, top, bottom = 760, 470, 44, 16, 72, 48
    slow, fast, low = 8, 2000, 1.0
    high = math.ceil(10 * max(ratio for ratio, _, _ in points.values()) + 0.5) / 10

    def x(speed):
        return left + (width - left - right) * math.log(speed / slow) / math.log(fast / slow)

    def y(ratio):
        return height - bottom - (height - top - bottom) * (ratio - low) / (high - low)

    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" font-family="sans-serif" font-size="12">'
    yield "<title>Codecs in the memory of an H100: ratio by speed of decoding</title>"
    yield f"<style>{STYLE}</style>"
    yield f'<rect width="{width}" height="{height}"/>'
    yield f'<text x="{left}" y="18">ratio, by 10^9 bytes decoded in a second in the memory of an H100: means of five files, 1 GiB each</text>'
    for i, (kind, text) in enumerate(LEGEND):
        at_x, at_y = left + 6 + i % 2 * 380, 36 + i // 2 * 17
        yield f'<circle class="{kind}" cx="{at_x}" cy="{at_y}" r="5" stroke-width="2"/><text x="{at_x + 11}" y="{at_y + 4}">{text}</text>'
    for speed in (10, 20, 50, 100, 200, 500, 1000, 2000):
        yield f'<line class="grid" x1="{x(speed):.1f}" x2="{x(speed):.1f}" y1="{top}" y2="{height - bottom}"/>'
        yield f'<text x="{x(speed):.1f}" y="{height - bottom + 18}" text-anchor="middle">{speed}</text>'
    for tenth in range(round(10 * low), round(10 * high) + 1):
        yield f'<line class="grid" x1="{left}" x2="{width - right}" y1="{y(tenth / 10):.1f}" y2="{y(tenth / 10):.1f}"/>'
        yield f'<text x="{left - 8}" y="{y(tenth / 10) + 4:.1f}" text-anchor="end">{tenth / 10:.1f}</text>'
    labels = Labels([(x(decoding), y(ratio)) for ratio, _, decoding in points.values()], width)
    for (kind, name), (ratio, _, decoding) in sorted(points.items(), key=lambda point: (point[0] != TDZ, -point[1][0])):
        text = f"{name}: {ratio:.2f}, {decoding:.0f} GB/s" if kind == "tdz" else name.split(",")[0]
        at_x, at_y = labels.place(x(decoding), y(ratio), text)
        yield f'<circle class="{kind}" cx="{x(decoding):.1f}" cy="{y(ratio):.1f}" r="5" stroke-width="2"/>'
        yield f'<text class="{kind}" x="{at_x:.1f}" y="{at_y:.1f}"' + (' font-weight="bold"' if kind == "tdz" else "") + f">{text}</text>"
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
