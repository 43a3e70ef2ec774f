#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the tables of docs/performance.md and docs/limit.md, and the picture, from the JSON reports of `tdz bench` in docs/reports.

    performance.py           writes every block between "<!-- made: NAME -->" and "<!-- end -->" again
    performance.py --check   changes nothing; exit status 1 if a block is not what the reports give
"""
import json
import math
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = [ROOT / "docs" / name for name in ("performance.md", "limit.md")]
REPORTS = ROOT / "docs" / "reports"
PICTURE = REPORTS / "throughput.svg"
WORDS, ORDERS, TUPLES, WIDE = (1, 2, 4, 8), range(1, 9), range(1, 9), (16, 64, 1000)
PARTS = ("-baselines", "-chained", "-curves")  # separate runs, for cells for which the first run had no time
BASELINES = ("cub", "look-back-per-order", "sam", "kogge-stone", "blelloch")  # few cells of the chained scan were measured, because it takes so long
BLOCK = re.compile(r"(<!-- made: ([a-z-]+) -->\n).*?(<!-- end -->)", re.S)


def short(share):
    return f"{share:.2f}".removeprefix("0")


def table(head, rows):
    yield "| " + " | ".join(map(str, head)) + " |"
    yield "|---" * len(head) + "|"
    for row in rows:
        yield "| " + " | ".join(map(str, row)) + " |"


class Scans:
    """The kernels of a report, by their cells."""

    def __init__(self, name, *parts):
        self.report, *others = (json.loads((REPORTS / f"{name}{part}.json").read_text()) for part in ("", *parts))
        self.curves = next((report for report in others if report["curves"]), self.report)
        self.cells = {}
        for report in (*others, self.report):
            for cell in report["scans"]:
                key = (cell["backend"], cell["scan"], cell["direction"], cell["shape"], cell["layout"], cell["word"],
                       cell["order"], cell["tuple"])
                self.cells[key] = cell

    def share(self, backend, scan, direction, shape, layout, word, order, tuple_):
        cell = self.cells[backend, scan, direction, shape, layout, word, order, tuple_]
        assert not cell["fault"], cell
        return cell["share"]

    def gpu(self, word, order, tuple_, shape="batch", scan="tdz", direction="integrate", layout="interleaved"):
        return self.share("cuda", scan, direction, shape, layout, word, order, tuple_)


def target(word, order, tuple_, shape):
    """The target share of memcpy, or None."""
    wide = tuple_ > 8
    if wide and (shape == "chain" or order > 4):
        return None
    high = order > 4
    if word >= 4:
        return 0.85 if wide else {"batch": (0.92, 0.90), "chain": (0.85, 0.75)}[shape][high]
    if word == 2:
        return 0.80 if wide else {"batch": (0.90, 0.80), "chain": (0.80, 0.65)}[shape][high]
    if wide:
        return 0.75
    if shape == "chain":
        return 0.45 if high else 0.75
    return (0.60 if tuple_ == 1 else 0.45) if high else 0.88


def target_cells():
    for word in WORDS:
        for order in ORDERS:
            for tuple_ in (*TUPLES, *WIDE):
                for shape in ("batch", "chain"):
                    if (asked := target(word, order, tuple_, shape)) is not None:
                        yield word, order, tuple_, shape, asked


def machine(report):
    of = report["machine"]
    parts = [of["processor"], f"{of['cores']} cores", of["system"], of["compiler"], f"zstd {of['zstd']}"]
    if of["device"]:
        parts += [of["device"], f"CUDA {of['cuda']}"]
    words = [word if re.fullmatch(r"[\w./,=+:-]+", word) else f"'{word}'" for word in report["command_line"]]
    yield f"{'; '.join(parts)}. Measured {report['started'][:10]}, pinned to {of['pinned']}, by"
    yield ""
    yield "    tdz " + " ".join(words)
    if not report["complete"]:
        yield ""
        yield "It was stopped when the kernels' cells used here were measured."
    yield ""


# ---- On a GPU


def gpu_shares(h100):
    head = ["bytes, order", *(f"batch, tuple {t}" if t == 1 else t for t in TUPLES),
            *(f"chain, tuple {t}" if t == 1 else t for t in TUPLES)]
    rows = [[f"{word}, {order}", *(short(h100.gpu(word, order, t, shape)) for shape in ("batch", "chain") for t in TUPLES)]
            for word in WORDS for order in ORDERS]
    return table(head, rows)


def gpu_wide(h100):
    head = ["bytes", *(f"order {order}, tuple {t}" for order in (1, 2, 4, 8) for t in WIDE)]
    return table(head, [[w, *(short(h100.gpu(w, order, t)) for order in (1, 2, 4, 8) for t in WIDE)] for w in WORDS])


def gpu_targets(h100):
    cells = [(h100.gpu(w, q, s, shape) / asked, w, q, s, shape) for w, q, s, shape, asked in target_cells()]
    met = sum(round(share, 3) >= 1 for share, *_ in cells)
    low = sorted(cell for cell in cells if cell[0] < 0.8)
    yield (f"Of the {len(cells)} cells that had a target (0.92 to 0.45 of a copy, by word, order and shape), {met} reach it; "
           f"{len(low)} are below 0.8 of theirs.")
    if low:
        names = [f"{w} bytes, order {q}, tuple {s}, {shape}: {share:.2f}" for share, w, q, s, shape in low]
        yield "They are, as a share of the target: " + "; ".join(names) + "."


def gpu_baselines(h100):
    cells = ((1, 1), (1, 2), (1, 4), (1, 8), (2, 1), (4, 1), (4, 4), (8, 1), (8, 8))
    rows = [[f"{word}, {scan}", *(short(h100.gpu(word, q, s, "chain", scan)) for q, s in cells)]
            for word in WORDS for scan in ("tdz", *BASELINES)]
    return table(["bytes, scan", *(f"{q}, {s}" for q, s in cells)], rows)


def gpu_won(h100):
    cells = [(w, q, s) for w in WORDS for q in ORDERS for s in TUPLES]
    ours = {cell: h100.gpu(*cell, "chain") for cell in cells}
    lost = [(cell, scan) for scan in BASELINES for cell in cells if h100.gpu(*cell, "chain", scan) >= ours[cell]]
    closest = min((ours[cell] / h100.gpu(*cell, "chain", scan), cell, scan) for scan in BASELINES for cell in cells)
    (factor, (w, q, s), scan) = closest
    yield (f"In {len(cells) * len(BASELINES) - len(lost)} of the {len(cells) * len(BASELINES)} comparisons on the chain tdz is the faster one; "
           f"nearest comes {scan} for {w} bytes at order {q} and tuple {s}, where tdz is {factor:.2f} times as fast.")


def gpu_chained(h100):
    cells = [cell for key, cell in h100.cells.items() if key[1] == "chained" and key[5] == 4]
    worst = max(cell["share"] for cell in cells)
    yield (f"The chained scan, in which each block waits for the one before, was measured in {len(cells)} cells of 4-byte words and "
           f"reached at most {worst:.4f} of a copy.")


def gpu_other(h100):
    def spread(orders, **how):
        for word in WORDS:
            shares = [h100.gpu(word, q, s, **how) for q in orders for s in TUPLES]
            yield f"{min(shares):.2f} .. {max(shares):.2f}"

    planes = {"layout": "tuple-planes"}
    yield from table(["", *(f"{word} byte{'s' * (word > 1)}" for word in WORDS)], [
        ["difference, interleaved", *spread(ORDERS, direction="difference")],
        ["difference, order 1 to 3", *spread((1, 2, 3), direction="difference")],
        ["integrate from zigzag, tuple-planes", *spread(ORDERS, **planes)],
        ["the same, order 1 to 3", *spread((1, 2, 3), **planes)]])
    difference = [h100.gpu(w, q, s, direction="difference") for w in WORDS for q in (1, 2, 3) for s in TUPLES]
    near = [(h100.gpu(w, q, s, **planes), target(w, q, s, "batch")) for w in WORDS for q in ORDERS for s in TUPLES]
    yield ""
    yield (f"Differences of order 1 to 3 were to reach 0.90: {sum(round(d, 2) >= 0.9 for d in difference)} of {len(difference)} do. "
           f"Tuple-planes with zigzag were to stay within 10 % of the targets above: "
           f"{sum(share >= 0.9 * asked for share, asked in near)} of {len(near)} cells do.")


def size_text(values):
    exponent = values.bit_length() - 1
    return f"2^{exponent}"


def curves(report, word, coding):
    """{scan: {values: GB/s}} and memcpy's under its own name."""
    order, tuple_ = coding
    lines = {}
    for cell in report["curves"]:
        if cell["backend"] != "cuda" or (cell["word"], cell["order"], cell["tuple"]) != (word, order, tuple_):
            continue
        assert not cell["fault"], cell
        values = cell["bytes"] // word
        lines.setdefault(cell["scan"], {})[values] = cell["bytes"] / cell["kernel"]["median"] / 1e9
        lines.setdefault("memcpy", {})[values] = cell["bytes"] / cell["copy"]["median"] / 1e9
    return lines


def gpu_curves(h100):
    report = h100.curves
    for word in (4, 8):
        sizes = sorted(curves(report, word, (1, 1))["tdz"])[::2]
        rows = []
        for coding in ((1, 1), (2, 1), (5, 1), (8, 1), (1, 2), (1, 5), (1, 8)):
            lines = curves(report, word, coding)
            for scan in ("memcpy", "tdz", "sam", "cub"):
                if scan != "memcpy" or coding == (1, 1):
                    rows.append([f"{coding[0]}, {coding[1]}" if scan != "memcpy" else "", scan,
                                 *(f"{lines[scan][n]:.3g}" for n in sizes)])
        yield f"{8 * word} bits, 10^9 bytes of values a second, by length:"
        yield ""
        yield from table(["order, tuple", "scan", *(f"{size_text(n)}" for n in sizes)], rows)
        yield ""


def gpu_limit(h100):
    rows = []
    for word, q, s in ((1, 1, 1), (1, 8, 8), (2, 1, 1), (2, 8, 8), (4, 1, 1), (4, 8, 8), (8, 1, 1), (8, 8, 8)):
        cell = h100.cells["cuda", "tdz", "integrate", "chain", "interleaved", word, q, s]
        limit = cell["limit"]
        rows.append([f"{word}, {q}, {s}", f"{1e3 * cell['kernel']['median']:.3f}",
                     *(f"{1e3 * limit[term]:.3f}" for term in ("bandwidth", "latency", "reduction")), limit["binds"],
                     f"{cell['share_of_limit']:.2f}", f"{cell['share']:.2f}"])
    return table(["bytes, order, tuple", "ms", "bandwidth", "latency", "reduction", "binds", "share of the limit", "of memcpy"],
                 rows)


def gpu_constants(h100):
    model = next(m for m in h100.report["models"] if m["backend"] == "cuda")
    rows = [["`w`", f"{model['bytes_per_second'] / 1e12:.2f} TB/s"], ["`l`", f"{1e9 * model['latency']:.0f} ns"],
            ["`p`", f"{model['threads']:.0f} threads"], ["an access", f"{model['access_bytes']:.0f} bytes"]]
    yield from table(["constant", h100.report["machine"]["device"].split(",")[0]], rows)
    needed = model["bytes_per_second"] * model["latency"] / model["access_bytes"]
    yield ""
    yield f"Latency would bind with fewer than {needed:.0f} threads, each with one access on its way."


def gpu_summary(h100):
    """In short: tdz beside the baselines, one chain of 32-bit words."""
    cells = ((1, 1), (1, 4), (2, 1), (4, 1), (8, 1), (8, 8))
    rows = [[scan, *(short(h100.gpu(4, q, s, "chain", scan)) for q, s in cells)] for scan in ("tdz", "cub", "sam", "look-back-per-order")]
    return table(["share of memcpy", *(f"order {q}, tuple {s}" for q, s in cells)], rows)


# ---- On a CPU


def cpu_kernels(cpu):
    for direction in ("integrate", "difference"):
        yield f"{direction}, 10^9 bytes a second, and share of memcpy beside it:"
        yield ""
        rows = []
        for word in WORDS:
            for order in (1, 2, 3, 4, 8):
                cells = [cpu.cells["cpu", "tdz", direction, "batch", "interleaved", word, order, t] for t in TUPLES]
                rows.append([f"{word}, {order}", *(f"{c['bytes'] / c['kernel']['median'] / 1e9:.1f} {short(c['share'])}" for c in cells)])
        yield from table(["bytes, order", *(f"tuple {t}" for t in TUPLES)], rows)
        yield ""


def cpu_codec(cpu):
    report = cpu.report
    rows = []
    for index, data in enumerate(report["data"]):
        raw = next(r for r in report["raw"] if r["data"] == index)
        cells = [c for c in report["codec"] if c["data"] == index and c["tuple"] == 2]
        best = max(cells, key=lambda c: c["ratio"])
        speed = best["bytes_per_second"]
        rows.append([data["name"], f"{raw['ratio']:.2f}", best["order"], f"{best['ratio']:.2f}", f"{speed['compress'] / 1e6:.0f}",
                     f"{speed['decompress'] / 1e6:.0f}", f"{raw['bytes_per_second']['compress'] / 1e6:.0f}",
                     f"{raw['bytes_per_second']['decompress'] / 1e6:.0f}",
                     *(f"{best['bytes_per_second'][stage] / 1e6:.0f}" for stage in ("difference", "pack", "unpack", "integrate", "digest"))])
    return table(["numbers", "zstd: ratio", "best order", "ratio", "compress MB/s", "decompress", "zstd: compress", "decompress",
                  "difference", "pack", "unpack", "integrate", "digest"], rows)


# ---- A picture

COLOURS = {"memcpy": ("#888888", "#999999"), "tdz": ("#1f6fb2", "#5aa9e6"), "sam": ("#b3541e", "#e08a54"), "cub": ("#2f7d4f", "#62b987")}
STYLES = {1: "", 8: ' stroke-dasharray="6 4"'}


def picture(h100):
    """Throughput by length of one chain of 32-bit words at orders 1 and 8: both axes logarithmic."""
    width, height, left, top, right, bottom = 720, 360, 64, 28, 150, 44
    lines = {q: curves(h100.curves, 4, (q, 1)) for q in (1, 8)}
    sizes = sorted(lines[1]["tdz"])
    speeds = [v for q in lines for scan in COLOURS for v in lines[q][scan].values()]
    low, high = 10 ** math.floor(math.log10(min(speeds))), 10 ** math.ceil(math.log10(max(speeds)))

    def x(values):
        return left + (width - left - right) * math.log(values / sizes[0]) / math.log(sizes[-1] / sizes[0])

    def y(speed):
        return height - bottom - (height - top - bottom) * math.log(speed / low) / math.log(high / low)

    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" font-family="sans-serif" font-size="12">'
    yield "<title>Prefix sums of 32-bit numbers on an H100: throughput by length</title>"
    light = "".join(f".{scan}{{stroke:{pair[0]};fill:{pair[0]}}}" for scan, pair in COLOURS.items())
    dark = "".join(f".{scan}{{stroke:{pair[1]};fill:{pair[1]}}}" for scan, pair in COLOURS.items())
    yield (f"<style>rect{{fill:#fff}}text{{fill:#222;stroke:none}}.grid{{stroke:#ddd}}{light}polyline{{fill:none !important;stroke-width:2}}"
           f"@media (prefers-color-scheme:dark){{rect{{fill:#16181d}}text{{fill:#ddd}}.grid{{stroke:#333}}{dark}}}</style>")
    yield f'<rect width="{width}" height="{height}"/>'
    yield f'<text x="{left}" y="16">10^9 bytes of 32-bit numbers a second, one chain, by how many numbers there are</text>'
    decade = low
    while decade <= high:
        yield f'<line class="grid" x1="{left}" x2="{width - right}" y1="{y(decade):.1f}" y2="{y(decade):.1f}"/>'
        yield f'<text x="{left - 8}" y="{y(decade) + 4:.1f}" text-anchor="end">{decade:g}</text>'
        decade *= 10
    for values in sizes[::2]:
        yield (f'<text x="{x(values):.1f}" y="{height - bottom + 18}" text-anchor="middle">2<tspan dy="-5" font-size="9">'
               f"{values.bit_length() - 1}</tspan></text>")
    ends = []
    for q in lines:
        for scan in COLOURS:
            if scan == "memcpy" and q != 1:
                continue
            points = " ".join(f"{x(n):.1f},{y(v):.1f}" for n, v in sorted(lines[q][scan].items()))
            yield f'<polyline class="{scan}"{STYLES[q]} points="{points}"/>'
            ends.append([y(lines[q][scan][sizes[-1]]), scan if scan == "memcpy" else f"{scan}, order {q}", scan])
    place = 0
    for at, text, scan in sorted(ends):
        place = max(at, place + 15)
        yield f'<circle class="{scan}" cx="{width - right + 12}" cy="{place:.1f}" r="4"/>'
        yield f'<text x="{width - right + 22}" y="{place + 4:.1f}">{text}</text>'
    yield f'<text x="{(left + width - right) / 2}" y="{height - 8}" text-anchor="middle">numbers</text>'
    yield "</svg>"


def blocks():
    h100, cpu = Scans("h100", *PARTS), Scans("cpu")
    makers = {"gpu-machine": lambda: machine(h100.report), "cpu-machine": lambda: machine(cpu.report)}
    for maker in (gpu_shares, gpu_wide, gpu_targets, gpu_baselines, gpu_won, gpu_chained, gpu_other, gpu_curves, gpu_limit, gpu_constants, gpu_summary):
        makers[maker.__name__.replace("_", "-")] = lambda maker=maker: maker(h100)
    for maker in (cpu_kernels, cpu_codec):
        makers[maker.__name__.replace("_", "-")] = lambda maker=maker: maker(cpu)
    return makers


def main():
    makers, stale, made = blocks(), [], 0

    def renew(path, text):
        if path.exists() and path.read_text() == text:
            return
        stale.append(path.name)
        if "--check" not in sys.argv:
            path.write_text(text)

    for page in PAGES:
        text = page.read_text()
        renew(page, BLOCK.sub(lambda m: m[1] + "\n".join(makers[m[2]]()).rstrip("\n") + "\n" + m[3], text))
        made += len(BLOCK.findall(text))
    renew(PICTURE, "\n".join(picture(Scans("h100", *PARTS))) + "\n")
    print(f"{made} blocks; {'stale' if '--check' in sys.argv else 'written'}: {', '.join(stale) or 'none'}")
    return bool(stale and "--check" in sys.argv) or made == 0


if __name__ == "__main__":
    sys.exit(main())
