#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the tables of measured kernels in docs/ and the picture of throughput, from the figures in docs/reports.

    performance.py           writes every block between "<!-- made: NAME -->" and "<!-- end -->" again
    performance.py --check   changes nothing; exit status 1 if a block is not what the figures give
    performance.py --extract NAME REPORT..     writes docs/reports/NAME.tsv from JSON reports of `tdz bench`. The first report
                                               has the machine and the command; the others add cells and curves

A line of a .tsv file has a kind and fields between tabs: `share` has the cells of one scan, word and order, each as
TUPLE=SHARE:GB/S; `curve` the lengths of one scan, each as BYTES=GB/S:GB/S OF A COPY; `limit` the terms of limit.md.
"""
import json
import math
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = [ROOT / "docs" / name for name in ("performance.md", "limit.md", "notes/cpu-tables.md", "notes/gpu-tables.md")]
REPORTS = ROOT / "docs" / "reports"
PICTURE = REPORTS / "throughput.svg"
WORDS, ORDERS, TUPLES, WIDE = (1, 2, 4, 8), range(1, 9), range(1, 9), (16, 64, 1000)
BASELINES = ("cub", "look-back-per-order", "sam", "kogge-stone", "blelloch")  # few cells of the chained scan were measured, because it takes so long
CPU_ORDERS = (1, 2, 3, 4, 8)
BLOCK = re.compile(r"(<!-- made: ([a-z-]+) -->\n).*?(<!-- end -->)", re.S)


def short(share):
    return f"{share:.2f}".removeprefix("0")


def table(head, rows):
    yield "| " + " | ".join(map(str, head)) + " |"
    yield "|---" * len(head) + "|"
    for row in rows:
        yield "| " + " | ".join(map(str, row)) + " |"


LIMITS = ((1, 1, 1), (1, 8, 8), (2, 1, 1), (2, 8, 8), (4, 1, 1), (4, 8, 8), (8, 1, 1), (8, 8, 8))  # word, order, tuple
TERMS = ("bandwidth", "latency", "reduction")
STAGES = ("compress", "decompress", "difference", "pack", "unpack", "integrate", "digest")
CODINGS = ((1, 1), (2, 1), (5, 1), (8, 1), (1, 2), (1, 5), (1, 8))  # order, tuple of the curves


class Figures:
    """What a .tsv file holds, by cells."""

    def __init__(self, name):
        self.text, self.shares, self.rates, self.curves, self.limits, self.codec = {}, {}, {}, {}, {}, []
        for line in (REPORTS / f"{name}.tsv").read_text().splitlines():
            kind, *fields = line.split("\t")
            if kind == "share":
                backend, scan, direction, shape, layout, word, order, *cells = fields
                for cell in cells:
                    tuple_, share, rate = re.split("[=:]", cell)
                    key = (backend, scan, direction, shape, layout, int(word), int(order), int(tuple_))
                    self.shares[key], self.rates[key] = float(share), float(rate)
            elif kind == "curve":
                scan, word, order, tuple_, *cells = fields
                self.curves[scan, int(word), int(order), int(tuple_)] = {
                    int(bytes_): (float(rate), float(copy)) for bytes_, rate, copy in (re.split("[=:]", cell) for cell in cells)}
            elif kind == "limit":
                word, order, tuple_, binds, *seconds = fields
                self.limits[int(word), int(order), int(tuple_)] = (binds, *map(float, seconds))
            elif kind == "codec":
                self.codec.append(fields)
            else:
                self.text[kind] = fields

    def gpu(self, word, order, tuple_, shape="batch", scan="tdz", direction="integrate", layout="interleaved"):
        return self.shares["cuda", scan, direction, shape, layout, word, order, tuple_]


def extract(reports):
    """The lines of a .tsv file. Raises AssertionError for a cell whose result was wrong."""
    first, *others = reports
    of = first["machine"]
    parts = [of["processor"], f"{of['cores']} cores", of["system"], of["compiler"], f"zstd {of['zstd']}"]
    if of["device"]:
        parts += [of["device"], f"CUDA {of['cuda']}"]
    words = [word if re.fullmatch(r"[\w./,=+:-]+", word) else f"'{word}'" for word in first["command_line"]]
    yield "machine", "; ".join(parts), first["started"][:10], of["pinned"], "tdz " + " ".join(words)
    if model := next((m for m in first["models"] if m["backend"] == "cuda"), None):
        yield "model", of["device"].split(",")[0], *(model[name] for name in ("bytes_per_second", "latency", "threads", "access_bytes"))
    kept, cells = {}, {}
    for report in (*others, first):
        for cell in report["scans"]:
            cells[tuple(cell[name] for name in ("backend", "scan", "direction", "shape", "layout", "word", "order", "tuple"))] = cell
    for key, cell in cells.items():
        backend, scan, direction, shape, layout, word, order, tuple_ = key
        used = (scan == "tdz" or shape == "chain" and direction == "integrate" and layout == "interleaved") and \
            (layout == "interleaved" or shape == "batch" and direction == "integrate") and (backend == "cuda" or order in CPU_ORDERS)
        if used and (direction, shape) != ("difference", "chain"):
            assert not cell["fault"], cell
            kept.setdefault(key[:-1], []).append(f"{tuple_}={cell['share']:g}:{cell['bytes'] / cell['kernel']['median'] / 1e9:.6g}")
    for key, row in sorted(kept.items()):
        yield "share", *key, *row
    for word, order, tuple_ in LIMITS:
        if cell := cells.get(("cuda", "tdz", "integrate", "chain", "interleaved", word, order, tuple_)):
            yield ("limit", word, order, tuple_, cell["limit"]["binds"], cell["kernel"]["median"],
                   *(cell["limit"][term] for term in TERMS), cell["share_of_limit"], cell["share"])
    rows = {}
    for cell in (cell for report in reports for cell in report["curves"] if cell["backend"] == "cuda"):
        assert not cell["fault"], cell
        rates = (cell["bytes"] / cell[what]["median"] / 1e9 for what in ("kernel", "copy"))
        rows.setdefault((cell["scan"], cell["word"], cell["order"], cell["tuple"]), []).append(
            f"{cell['bytes']}=" + ":".join(f"{rate:.6g}" for rate in rates))
    for key, row in rows.items():
        yield "curve", *key, *row
    for index, data in enumerate(first["data"] if not of["device"] else ()):
        raw = next(r for r in first["raw"] if r["data"] == index)
        best = max((c for c in first["codec"] if c["data"] == index and c["tuple"] == 2), key=lambda c: c["ratio"])
        yield ("codec", data["name"], raw["ratio"], best["order"], best["ratio"], *(best["bytes_per_second"][stage] for stage in STAGES[:2]),
               *(raw["bytes_per_second"][stage] for stage in STAGES[:2]), *(best["bytes_per_second"][stage] for stage in STAGES[2:]))


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


def machine(figures):
    parts, day, pinned, command = figures.text["machine"]
    yield f"{parts}. Measured {day}, pinned to {pinned}, by"
    yield ""
    yield "    " + command
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
    cells = [share for key, share in h100.shares.items() if key[1] == "chained" and key[5] == 4]
    worst = max(cells)
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


def curves(figures, word, coding):
    """{scan: {values: GB/s}} and memcpy's under its own name."""
    lines = {}
    for (scan, of, *of_coding), cells in figures.curves.items():
        if (of, *of_coding) == (word, *coding):
            lines[scan] = {bytes_ // word: rate for bytes_, (rate, _) in cells.items()}
            lines.setdefault("memcpy", {}).update((bytes_ // word, copy) for bytes_, (_, copy) in cells.items())
    return lines


def gpu_curves(h100):
    for word in (4, 8):
        sizes = sorted(curves(h100, word, (1, 1))["tdz"])[::2]
        rows = []
        for coding in CODINGS:
            lines = curves(h100, word, coding)
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
    for cell in LIMITS:
        binds, *seconds, of_limit, share = h100.limits[cell]
        rows.append([", ".join(map(str, cell)), *(f"{1e3 * time:.3f}" for time in seconds), binds, f"{of_limit:.2f}", f"{share:.2f}"])
    return table(["bytes, order, tuple", "ms", *TERMS, "binds", "share of the limit", "of memcpy"], rows)


def gpu_constants(h100):
    device, *constants = h100.text["model"]
    speed, latency, threads, access = map(float, constants)
    rows = [["`w`", f"{speed / 1e12:.2f} TB/s"], ["`l`", f"{1e9 * latency:.0f} ns"], ["`p`", f"{threads:.0f} threads"],
            ["an access", f"{access:.0f} bytes"]]
    yield from table(["constant", device], rows)
    yield ""
    yield f"Latency would bind with fewer than {speed * latency / access:.0f} threads, each with one access on its way."


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
            for order in CPU_ORDERS:
                keys = [("cpu", "tdz", direction, "batch", "interleaved", word, order, t) for t in TUPLES]
                rows.append([f"{word}, {order}", *(f"{cpu.rates[key]:.1f} {short(cpu.shares[key])}" for key in keys)])
        yield from table(["bytes, order", *(f"tuple {t}" for t in TUPLES)], rows)
        yield ""


def cpu_summary(cpu):
    """In short: single numbers."""
    ways = [(direction, order) for direction in ("integrate", "difference") for order in (1, 2, 4, 8)]
    rows = []
    for word in WORDS:
        keys = [("cpu", "tdz", direction, "batch", "interleaved", word, order, 1) for direction, order in ways]
        rows.append([word, *(f"{cpu.rates[key]:.1f} {short(cpu.shares[key])}" for key in keys)])
    return table(["bytes", *(f"{direction}, order {order}" if order == 1 else order for direction, order in ways)], rows)


def cpu_codec(cpu):
    rows = [[name, f"{float(raw):.2f}", order, f"{float(ratio):.2f}", *(f"{float(speed) / 1e6:.0f}" for speed in speeds)]
            for name, raw, order, ratio, *speeds in cpu.codec]
    return table(["numbers", "zstd: ratio", "best order", "ratio", "compress MB/s", "decompress", "zstd: compress", "decompress", *STAGES[2:]], rows)


# ---- A picture

COLOURS = {"memcpy": ("#888888", "#999999"), "tdz": ("#1f6fb2", "#5aa9e6"), "sam": ("#b3541e", "#e08a54"), "cub": ("#2f7d4f", "#62b987")}
STYLES = {1: "", 8: ' stroke-dasharray="6 4"'}


def picture(h100):
    """Throughput by length of one chain of 32-bit words at orders 1 and 8: both axes logarithmic."""
    width, height, left, top, right, bottom = 720, 360, 64, 28, 150, 44
    lines = {q: curves(h100, 4, (q, 1)) for q in (1, 8)}
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
    h100, cpu = Figures("h100"), Figures("cpu")
    makers = {"gpu-machine": lambda: machine(h100), "cpu-machine": lambda: machine(cpu)}
    for maker in (gpu_shares, gpu_wide, gpu_targets, gpu_baselines, gpu_won, gpu_chained, gpu_other, gpu_curves, gpu_limit, gpu_constants, gpu_summary):
        makers[maker.__name__.replace("_", "-")] = lambda maker=maker: maker(h100)
    for maker in (cpu_kernels, cpu_summary, cpu_codec):
        makers[maker.__name__.replace("_", "-")] = lambda maker=maker: maker(cpu)
    return makers


def main():
    if sys.argv[1:2] == ["--extract"]:
        name, *reports = sys.argv[2:]
        lines = extract([json.loads(pathlib.Path(report).read_text()) for report in reports])
        (REPORTS / f"{name}.tsv").write_text("".join("\t".join(map(str, line)) + "\n" for line in lines))
        return 0
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
    renew(PICTURE, "\n".join(picture(Figures("h100"))) + "\n")
    print(f"{made} blocks; {'stale' if '--check' in sys.argv else 'written'}: {', '.join(stale) or 'none'}")
    return bool(stale and "--check" in sys.argv) or made == 0


if __name__ == "__main__":
    sys.exit(main())
