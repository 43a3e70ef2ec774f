#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes about 400 files of 43 kinds in DIR/KIND/NAME.bin, for tests/bench/sizes.py: what people compress, numbers or not.

The files follow from the seed (and from the version of numpy); two runs write the same bytes. Most have 20 KB to 3 MB, some have 8 to 40 MB:
those hold repeats that lie further apart than a chunk. Needs numpy, and for one kind the program zstd.
"""
import argparse
import fnmatch
import io
import itertools
import lzma
import pathlib
import sqlite3
import subprocess
import sys
import tarfile
import zipfile
import zlib

import numpy as np

KINDS = {}
KIB, MIB = 1 << 10, 1 << 20


def kind(function):
    """A kind is a generator: rng -> (name, bytes or array) for each of its files."""
    KINDS[function.__name__.replace("_", "-")] = function
    return function


# Parts that several kinds use.


def length(rng, item=1, low=24 * KIB, high=3 * MIB):
    """How many items of so many bytes a file has; small files are as frequent as large ones."""
    return max(16, int(np.exp(rng.uniform(np.log(low), np.log(high))) / item))


def raw(*parts):
    return b"".join(part if isinstance(part, bytes) else np.ascontiguousarray(part).tobytes() for part in parts)


def noise(rng, count):
    return rng.standard_normal(count)


def walk(rng, count, pull=0.0):
    """A random walk of unit steps; it is pulled back to 0 by this part of its value."""
    steps = noise(rng, count)
    if pull == 0:
        return np.cumsum(steps)
    reach = np.exp(-pull * np.arange(min(count, int(8 / pull))))
    return convolve(steps, reach)


def convolve(values, kernel):
    count = len(values) + len(kernel)
    return np.fft.irfft(np.fft.rfft(values, count) * np.fft.rfft(kernel, count), count)[:len(values)]


def smooth(rng, count, width):
    """Noise that was smoothed over so many values, with unit deviation."""
    window = np.hanning(width + 2)
    return convolve(noise(rng, count), window) / np.sqrt(np.sum(window**2))


def field(rng, shape, roughness):
    """A fractal field of unit deviation: its spectrum falls with this power of the frequency. 1 is rough, 3 smooth."""
    axes = np.meshgrid(*(np.fft.fftfreq(side) for side in shape), indexing="ij")
    radius = np.sqrt(sum(axis**2 for axis in axes))
    radius.flat[0] = 1
    values = np.fft.ifftn(np.fft.fftn(noise(rng, shape)) * radius**-roughness).real
    return (values - values.mean()) / values.std()


def sides(rng, item, low=48 * KIB, high=3 * MIB):
    """Height and width of a picture of so many bytes a pixel; widths are seldom powers of two."""
    pixels = length(rng, item, low, high)
    width = max(24, int(np.sqrt(pixels) * rng.uniform(0.7, 1.6)))
    return max(24, pixels // width), width


def clipped(values, dtype):
    limits = np.iinfo(dtype)
    return np.clip(np.rint(values), limits.min, limits.max).astype(dtype)


def packed_24(values, big=False):
    """The low three bytes of each integer."""
    data = values.astype(">i4" if big else "<i4").view(np.uint8).reshape(-1, 4)
    return data[:, 1:] if big else data[:, :3]


def packed_bits(values, bits):
    """Unsigned integers of so many bits each, the highest bit first, as GRIB and cameras pack them."""
    places = (values.astype(np.uint64)[:, None] >> np.arange(bits - 1, -1, -1, dtype=np.uint64)) & np.uint64(1)
    return np.packbits(places.astype(np.uint8).ravel())


def columns(count, **fields):
    """Records without gaps: name=(dtype, values)."""
    records = np.zeros(count, [(name, dtype) for name, (dtype, _) in fields.items()])
    for name, (_, values) in fields.items():
        records[name] = values
    return records


def word_list(rng, count):
    letters = np.frombuffer(b"eeeeetttaaaooiinnsshhrrddllcumwfgypbvk", np.uint8)
    return [rng.choice(letters, size).tobytes().decode() for size in rng.integers(2, 11, count)]


def often(rng, count, choices, power=1.1):
    """Indices below `choices`; the first ones come far more often, as words do."""
    chances = np.arange(1.0, choices + 1)**-power
    return rng.choice(choices, count, p=chances / chances.sum())


def prose(rng, size):
    words = np.array(word_list(rng, 3000))
    chosen = words[often(rng, size // 5, len(words))]
    lines = (" ".join(chosen[at:at + 12]) for at in range(0, len(chosen), 12))
    return "\n".join(lines).encode()[:size]


def bfloat16(values):
    return (values.astype("<f4").view("<u4") >> 16).astype("<u2")


def ibm_float(values):
    """IBM's hexadecimal floating point, big-endian, as SEG-Y has it."""
    magnitude = np.abs(values)
    exponent = np.where(magnitude > 0, np.ceil(np.log2(np.maximum(magnitude, 1e-30)) / 4 + 1e-9), 0)
    fraction = np.floor(magnitude / 16.0**exponent * (1 << 24)).astype(np.int64)
    word = ((values < 0).astype(np.int64) << 31) | ((exponent.astype(np.int64) + 64) << 24) | (fraction & 0xFFFFFF)
    return np.where(magnitude > 0, word, 0).astype(">u4")


# Signals.


@kind
def sensors(rng):
    """Integers of 8 to 32 bits as converters give them: noise, drift, spikes, several channels."""
    for bits, dtype in ((8, "u1"), (8, "i1"), (12, "<i2"), (12, ">i2"), (14, "<u2"), (16, "<i2"), (16, ">i2"), (32,
                                                                                                                "<i4")):
        for style in ("noise", "drift", "spikes"):
            channels = int(rng.choice([1, 1, 2, 3, 4, 8]))
            count = length(rng, np.dtype(dtype).itemsize * channels)
            top = 2.0**(min(bits, 24) - 1)
            values = rng.uniform(0.005, 0.1) * top * noise(rng, (count, channels)) / (1 if style == "noise" else 20)
            if style != "noise":
                values += 0.3 * top * smooth(rng, count, max(8, count // 200))[:, None] * rng.uniform(0.3, 1, channels)
            if style == "spikes":
                values[rng.random((count, channels)) < 0.002] += 0.6 * top
            offset = top if np.dtype(dtype).kind == "u" else 0
            limited = np.clip(np.rint(values + offset), offset - top, offset + top - 1)
            name = dtype.replace("<", "").replace(">", "be-")
            yield f"{bits}bits-{name}x{channels}-{style}", limited.astype(dtype)


@kind
def sensors_24(rng):
    """24 bits in three bytes or in four."""
    for big, channels, style in itertools.product((False, True), (1, 4), ("seismic", "noisy")):
        count = length(rng, 3 * channels)
        values = 3000 * np.stack([walk(rng, count, 0.003) for _ in range(channels)], 1)
        values += (30 if style == "seismic" else 4000) * noise(rng, (count, channels))
        limited = np.clip(np.rint(values), -(1 << 23), (1 << 23) - 1)
        name = f"{'be' if big else 'le'}-x{channels}-{style}"
        yield "i24-" + name, packed_24(limited.ravel(), big)
        if channels == 1:
            yield "24in32-" + name, (limited.astype(np.int64) << 8).astype(">i4" if big else "<i4")


def tones(rng, count, channels):
    """Sound of decaying tones over noise, between -1 and 1; the channels are alike."""
    time, sound = np.arange(count) / 44100, np.zeros((count, channels))
    for _ in range(max(4, count // 9000)):
        start, pitch = rng.integers(0, count), 55 * 2**rng.uniform(0, 5)
        stop = min(count, start + 30000)
        t = time[:stop - start]
        tone = sum(np.sin(2 * np.pi * pitch * harmonic * t) / harmonic**1.5 for harmonic in (1, 2, 3, 5))
        sound[start:stop] += (rng.uniform(0.02, 0.25) * tone * np.exp(-t * rng.uniform(2, 12)))[:, None] * rng.uniform(
            0.5, 1, channels)
    return np.clip(sound + 0.002 * noise(rng, sound.shape), -0.99, 0.99)


def wav(samples, bits, channels, rate=44100):
    data, step = raw(samples), channels * bits // 8
    form = np.array([1 | channels << 16, rate, rate * step, step | bits << 16], "<u4")
    return raw(b"RIFF", np.array([36 + len(data)], "<u4"), b"WAVEfmt ", np.array([16], "<u4"), form, b"data",
               np.array([len(data)], "<u4"), data)


@kind
def audio(rng):
    for channels in (1, 2, 2, 6):
        count = length(rng, 2 * channels)
        sound = tones(rng, count, channels)
        tag = f"x{channels}-{count}"
        yield "i16" + tag, clipped(32767 * sound, "<i2")
        yield "wav16" + tag, wav(clipped(32767 * sound, "<i2"), 16, channels)
        yield "wav24" + tag, wav(packed_24(np.rint(8388607 * sound).astype(np.int64).ravel()), 24, channels)
    sound = tones(rng, length(rng, 8), 2)
    yield "f32x2", sound.astype("<f4")
    yield "f32x2-of-16bits", (clipped(32767 * sound, "<i2") / 32768).astype("<f4")
    yield "aiff-like-be16x2", raw(b"FORM" + bytes(50), clipped(32767 * sound, ">i2"))
    yield "u8", clipped(128 + 90 * sound[:, 0], "u1")
    quiet = clipped(60 * sound, "<i2")
    yield "i16x2-quiet-then-silence", raw(quiet, np.zeros_like(quiet), quiet[::-1])


@kind
def periodic(rng):
    """Periods from a few bytes to far more than a chunk, exact or with noise."""
    for period in (17, 1000, 30011, 300007):
        for exact in (True, False):
            cycle = 8000 * smooth(rng, period, 9)
            values = np.tile(cycle, max(3, 600000 // period))
            yield f"i16-{period}-{'exact' if exact else 'noisy'}", clipped(
                values + (0 if exact else 12 * noise(rng, len(values))), "<i2")
    for period in (700001, 2300003, 5000011):  # values: 1.3, 4.4, and 9.5 MiB
        cycle = clipped(8000 * smooth(rng, period, 9), "<i2")
        yield f"i16-{period}-exact-large", np.tile(cycle, 3)
    hours = np.arange(200000)
    day = 10 * np.sin(2 * np.pi * hours / 24) + 12 * np.sin(2 * np.pi * hours / 8766) + walk(rng, len(hours), 0.01) / 4
    yield "f32-daily-decimal", (np.rint(10 * day) / 10).astype("<f4")
    yield "i16-daily-tenths", clipped(10 * day, "<i2")


# Pictures, grids and volumes.


@kind
def pictures(rng):
    for channels, style in itertools.product((1, 3, 4), ("photo", "drawing", "noisy")):
        height, width = sides(rng, channels)
        grey = field(rng, (height, width), 1.6)
        if style == "drawing":
            grey = np.rint(1.5 * field(rng, (height, width), 2.6))
        tint = rng.uniform(0.4, 1, channels)
        values = 128 + 50 * grey[:, :, None] * tint + (9 if style == "noisy" else 1 if style == "photo" else 0) * noise(
            rng, (height, width, channels))
        pixels = clipped(values, "u1")
        if channels == 4:
            pixels[:, :, 3] = np.where(grey > -1.2, 255, 0)
        yield f"{'grey rgb0 rgb rgba'.split()[channels - 1]}-{width}x{height}-{style}", pixels
    height, width = sides(rng, 3)
    pixels = clipped(128 + 50 * field(rng, (height, width, 3), 1.7), "u1")
    yield "rgb-planar", np.moveaxis(pixels, 2, 0)
    rows = np.zeros((height, -(-3 * width // 4) * 4), np.uint8)
    rows[:, :3 * width] = pixels.reshape(height, -1)
    head = np.array([rows.size + 54, 0, 54, 40, width, height, 1 | 24 << 16, 0, rows.size, 2835, 2835, 0, 0], "<u4")
    yield "bmp", raw(b"BM", head, rows)
    yield "pgm16", raw(b"P5\n%d %d\n4095\n" % (width, height),
                       np.clip(2048 + 500 * field(rng, (height, width), 1.5), 0, 4095).astype(">u2"))
    yield "camera-12bits-packed", packed_bits(
        np.clip(2048 + 500 * field(rng, (height, width), 1.3), 0, 4095).ravel(), 12)
    yield "bayer-u16", np.clip(
        900 * np.tile([[1, 2], [2, 1.5]],
                      (height // 2, width // 2)) * (2 + field(rng, (height // 2 * 2, width // 2 * 2), 1.5)), 0,
        16383).astype("<u2")


@kind
def indexed(rng):
    """Palettes, tile maps, flags and single bits."""
    for colours in (2, 16, 200):
        shape = sides(rng, 1)
        flat = field(rng, shape, 2.2)
        steps = np.floor((flat - flat.min()) / np.ptp(flat) * (colours - 1)).astype(np.uint8)
        yield f"{colours}-colours", raw(rng.integers(0, 256, (256, 3), np.uint8),
                                        rng.permutation(256).astype(np.uint8)[steps])
    tiles = rng.integers(0, 64, (40, 8, 8)).astype("<u2")
    yield "tile-map-u16", np.concatenate([tiles[i] for i in often(rng, 4000, 40)])
    yield "bits-1", np.packbits(field(rng, sides(rng, 0.125, 8 * KIB, MIB), 1.8) > 0.3)
    yield "booleans", (field(rng, (length(rng),), 0.8) > 1).astype("u1")
    yield "flags-u32", rng.choice(np.array([0, 1, 4, 0x8000, 0x10001], "<u4"),
                                  length(rng, 4),
                                  p=[0.7, 0.1, 0.1, 0.07, 0.03])


@kind
def textures(rng):
    """Pictures that stand several times in a file, with other data between."""
    for channels, side, between in ((1, 256, 50000), (3, 200, 300000), (4, 256, 20011), (4, 512, 2 * MIB), (3, 700,
                                                                                                            9 * MIB)):
        atlas = [
            clipped(128 + 45 * field(rng, (side, side, channels), 1.6) + 2 * noise(rng, (side, side, channels)), "u1")
            for _ in range(3)
        ]
        parts = []
        for which in (0, 1, 0, 2, 1, 0):
            other = clipped(20 * walk(rng, between // 4, 0.01), "<i2") if rng.random() < 0.5 else rng.integers(
                0, 50, between // 2, np.uint8)
            parts += [b"TEX%c" % which, atlas[which], other]
        yield f"{channels}x{side}-between-{between}", raw(*parts)
    base = clipped(128 + 50 * field(rng, (512, 512, 4), 1.7), "u1")
    yield "mipmaps-rgba", raw(*(base[::step, ::step] for step in (1, 2, 4, 8, 16, 32)))
    blocks = columns(60000,
                     a=("<u2", clipped(30000 + 3000 * walk(rng, 60000, 0.1), "<u2")),
                     b=("<u2", clipped(28000 + 3000 * walk(rng, 60000, 0.1), "<u2")),
                     i=("<u4", rng.integers(0, 1 << 32, 60000)))
    yield "bc1-blocks", raw(b"DDS " + bytes(124), blocks, blocks[:20000])
    sprites = [rng.integers(0, 12, (24, 24), np.uint8) * (field(rng, (24, 24), 2) > 0) for _ in range(30)]
    yield "sprites", raw(
        *(raw(np.array([i, 24, 24, at], "<u2"), sprites[i]) for at, i in enumerate(rng.integers(0, 30, 900))))


@kind
def volumes(rng):
    for name, dtype, scale in (("mri-u8", "u1", 40), ("ct-i16", "<i2", 400), ("ct-be16", ">i2", 400), ("f32", "<f4", 1),
                               ("u16-noisy", "<u2", 3000)):
        shape = (int(rng.integers(12, 50)), int(rng.integers(60, 160)), int(rng.integers(60, 170)))
        values = field(rng, shape, 2.1)
        body = values > -0.2
        grid = np.where(body, scale * (2.5 + values) + (scale / 20) * noise(rng, shape), 0)
        yield name, grid.astype(dtype) if dtype == "<f4" else clipped(np.clip(grid, 0, None), dtype)
    labels = np.rint(2 * field(rng, (40, 120, 120), 2.6))
    yield "labels-u8", np.where(labels > 0, labels, 0).astype("u1")
    frames = field(rng, (30, 90, 110), 1.9)
    yield "film-u16", clipped(2000 + 300 * frames + 20 * noise(rng, frames.shape), "<u2")
    yield "cube-f32-bands-last", (100 + np.cumsum(np.moveaxis(frames, 0, 2), 2)).astype("<f4")


@kind
def relief(rng):
    for dtype in ("<i2", ">i2", "<f4", "<i4"):
        for sea in (True, False):
            height = 700 * field(rng, sides(rng, np.dtype(dtype).itemsize), 2.1)
            height = np.where(height < 0, 0 if dtype != "<f4" else -9999, height) if sea else height
            scaled = height * 1000 if dtype == "<i4" else height
            yield f"{dtype[1:]}{'-be' if dtype[0] == '>' else ''}-{'sea' if sea else 'land'}", (
                np.rint(scaled) if dtype != "<f4" else height).astype(dtype)
    height = 300 + 90 * field(rng, (700, 800), 2)
    yield "f32-centimetres", (np.rint(100 * height) / 100).astype("<f4")
    yield "ascii-grid", b"ncols 400\nnrows 300\n" + "\n".join(
        " ".join(f"{v:.1f}" for v in row) for row in height[:300, :400]).encode()
    tiles = [
        np.rint(height[y:y + 100, x:x + 100]).astype("<i2") for y in range(0, 700, 100) for x in range(0, 800, 100)
    ]
    yield "i16-tiles-of-100", np.stack(tiles)


@kind
def masked_grids(rng):
    """Grids with a fill value where nothing was measured, of either byte order."""
    for order, (name, dtype,
                fill) in itertools.product("<>", (("f32", "f4", 1e20), ("f32nan", "f4", np.nan), ("f64", "f8", -9999),
                                                  ("i16", "i2", -32768), ("u8", "u1", 255))):
        steps, shape = int(rng.integers(2, 9)), (int(rng.integers(60, 180)), int(rng.integers(90, 240)))
        land = field(rng, shape, 2) > 0.4
        still, moving = field(rng, shape, 2.2), field(rng, (steps, *shape), 2)
        values = 15 + 8 * still + 2 * moving
        if np.dtype(dtype).kind != "f":
            values = np.rint(values * (1 if dtype == "u1" else 100))
        grid = np.where(land, fill, values).astype(order + dtype)
        yield f"{name}-{'be' if order == '>' else 'le'}", raw(bytes(rng.integers(0, 2) * 36), grid)
    sparse = np.where(rng.random((600, 700)) < 0.9, np.float32(-999), np.float32(field(rng, (600, 700), 2)))
    yield "f32-nine-tenths-filled", sparse.astype("<f4")
    swath = np.rint(field(rng, (500, 360), 1.8) * 200).astype("<i2")
    swath[:, :40] = swath[:, -40:] = -32767
    yield "i16-swath", swath


# Floating point.


@kind
def traces(rng):
    """Traces that are counts times a constant, with headers before and between them, as SEG-D and SEG-Y have them."""
    for form, (samples, head, lead) in itertools.product(("f4be", "f4le", "ibm", "i4be", "i2be"),
                                                         ((3000, 20, 1061), (1001, 240, 3600), (5000, 91, 333))):
        count = int(rng.integers(8, 40))
        gain = rng.uniform(1e-7, 1e-3)
        parts = [rng.integers(0, 256, lead, np.uint8) // rng.choice([1, 4, 60])]
        for number in range(count):
            arrival = 300 * np.exp(-(np.arange(samples) - samples * 0.3 - 9 * number)**2 / (2 * (samples / 30)**2))
            counts = np.rint(arrival * smooth(rng, samples, 12) + 15 * walk(rng, samples, 0.1))
            header = np.zeros(head, np.uint8)
            header[:8] = np.array([number, samples], ">u4").view(np.uint8)
            header[12:18] = rng.integers(0, 256, 6)
            values = {
                "f4be": (counts * gain).astype(">f4"),
                "f4le": (counts * gain).astype("<f4"),
                "ibm": ibm_float(counts * gain),
                "i4be": counts.astype(">i4"),
                "i2be": counts.astype(">i2")
            }[form]
            parts += [header, values]
        yield f"{form}-{samples}-head-{head}", raw(*parts)


@kind
def half_floats(rng):
    """Half floats at odd offsets, within other data."""
    for head in (1, 13, 347):
        count = length(rng, 2, high=MIB)
        yield f"f16-after-{head}", raw(rng.integers(0, 256, head, np.uint8),
                                       (20 + 3 * smooth(rng, count, 40)).astype("<f2"))
        count //= 3
        yield f"f16-within-{head}", raw(clipped(90 * walk(rng, count, 0.02), "<i2"), bytes(head),
                                        (5 * smooth(rng, count, 9)).astype("<f2"), rng.integers(0, 256, head, np.uint8),
                                        np.arange(count, dtype="<u4"))
    count = length(rng, 11)
    yield "f16-in-records-of-11", columns(count,
                                          flag=("u1", often(rng, count, 4)),
                                          a=("<f2", smooth(rng, count, 30)),
                                          time=("<u4", np.arange(count) * 40),
                                          b=("<f2", noise(rng, count)),
                                          c=("<f2", 100 + walk(rng, count, 0.01)))


@kind
def weights(rng):
    """Tensors of networks, and checkpoints with several of them."""

    def tensor(rows, cols):
        return noise(rng, (rows, cols)) * rng.uniform(0.01, 0.1) * np.exp(0.4 * noise(rng, cols))

    for name, convert in (("bf16", bfloat16), ("f16", lambda v: v.astype("<f2")), ("f32", lambda v: v.astype("<f4")),
                          ("f32-of-bf16",
                           lambda v: bfloat16(v).astype("<u4") << 16), ("i8", lambda v: clipped(400 * v, "i1"))):
        yield name, convert(tensor(int(rng.integers(100, 900)), int(rng.integers(64, 900))))
        layers = [convert(tensor(rows, 256)) for rows in (256, 64, 1, 300, 1, 256)]
        header = b'{"__metadata__":{"format":"pt"},' + b",".join(
            b'"layer.%d.weight":{"shape":[%d,256]}' % (i, len(layer)) for i, layer in enumerate(layers)) + b"}"
        yield f"{name}-checkpoint", raw(np.array([len(header)], "<u8"), header, *layers)
    layer = tensor(500, 700)
    yield "f32-with-adam", raw(layer.astype("<f4"), (layer * 1e-3 * noise(rng, layer.shape)).astype("<f4"),
                               (1e-8 * layer**2).astype("<f4"))
    embedding = bfloat16(tensor(3000, 256))
    yield "bf16-tied-large", raw(embedding, *(bfloat16(tensor(700, 700)) for _ in range(8)), embedding)
    blocks = 12000
    yield "q4-blocks", columns(blocks,
                               scale=("<f2", 0.01 * np.exp(0.3 * noise(rng, blocks))),
                               q=(("u1", 16), clipped(128 + 40 * noise(rng, (blocks, 16)), "u1")))


@kind
def simulations(rng):
    shape = (180, 220)
    for dtype in ("<f8", "<f4", ">f8"):
        values = field(rng, shape, 2.5)
        tag = dtype[1:] + ("be" if dtype[0] == ">" else "")
        yield f"pressure-{tag}", (1e5 + 500 * values).astype(dtype)
        yield f"velocity-x2-{tag}", np.stack([*np.gradient(values)], 2).astype(dtype)
    steps = np.arange(60000) * 1e-3
    yield "orbit-f64x3", np.stack([np.cos(steps), 0.9 * np.sin(steps), 0.1 * np.sin(3 * steps)], 1).astype("<f8")
    particles = rng.uniform(0, 50, (4000, 3))
    frames = [particles := particles + 0.02 * noise(rng, particles.shape) for _ in range(25)]
    yield "particles-f32x3", np.stack(frames).astype("<f4")
    yield "particles-rounded-f64x3", np.rint(1000 * np.stack(frames[:12])) / 1000
    x = np.linspace(-6, 6, 400)
    waves = [np.exp(-(x - 0.02 * t)**2) * np.cos(7 * x - 0.1 * t) for t in range(300)]
    yield "wave-f64", np.stack(waves).astype("<f8")
    yield "wave-f32-fortran-records", raw(
        *(raw(np.array([1600], "<u4"), wave.astype("<f4"), np.array([1600], "<u4")) for wave in waves))
    restart = np.stack([field(rng, (120, 160), 2.2) for _ in range(6)]).astype("<f8")
    yield "restart-twice-large", raw(restart, restart + 1e-9, restart)


@kind
def decimals(rng):
    for digits, dtype in itertools.product((0, 1, 2, 4), ("<f8", "<f4", ">f8")):
        values = 20 + rng.uniform(0.3, 3) * walk(rng, length(rng, np.dtype(dtype).itemsize), 0.001)
        tag = dtype[1:] + ("be" if dtype[0] == ">" else "")
        yield f"{tag}-{digits}-digits", (np.rint(values * 10**digits) / 10**digits).astype(dtype)
    count = length(rng, 8)
    values = np.rint(100 * rng.lognormal(3, 1, count)) / 100
    yield "f64-prices-random", values.astype("<f8")
    yield "f64-with-nan", np.where(rng.random(count) < 0.1, np.nan, values).astype("<f8")
    yield "f64-of-f32", np.float32(values).astype("<f8")
    yield "f64-integers", np.rint(walk(rng, count) * 30).astype("<f8")


@kind
def rates(rng):
    """Exchange rates and prices of shares."""
    count = length(rng, 8)
    rate = 1.1 * np.exp(3e-5 * walk(rng, count))
    yield "f64-5-digits", (np.rint(1e5 * rate) / 1e5).astype("<f8")
    yield "f32-5-digits", (np.rint(1e5 * rate) / 1e5).astype("<f4")
    bid, spread = np.rint(1e5 * rate).astype(np.int64), rng.choice([1, 2, 3, 8], count)
    time = 1700000000000 + np.cumsum(rng.integers(1, 900, count))
    yield "ticks-20-bytes", columns(count,
                                    t=("<i8", time),
                                    bid=("<i4", bid),
                                    ask=("<i4", bid + spread),
                                    volume=("<f4", rng.choice([0.75, 1, 1.5, 2.25, 5], count)))
    close = np.rint(100 * 90 * np.exp(0.01 * walk(rng, 40000))) / 100
    day = [close, close + 0.01 * rng.integers(0, 90, 40000), close - 0.01 * rng.integers(0, 90, 40000)]
    yield "days-f64x3", np.stack(day, 1).astype("<f8")
    text = "".join(
        f"2024-03-{1 + i // 1440 % 28:02d} {i // 60 % 24:02d}:{i % 60:02d};{close[i]:.2f};{int(day[1][i] * 7) % 90}\n"
        for i in range(30000))
    yield "days-csv", text.encode()


@kind
def coordinates(rng):
    count = length(rng, 16)
    lat, lon = 48 + 1e-4 * walk(rng, count), 11 + 1e-4 * walk(rng, count)
    both = np.stack([lat, lon], 1)
    yield "track-f64x2", both.astype("<f8")
    yield "track-f64x2-7-digits", np.rint(1e7 * both) / 1e7
    yield "track-i32x2-1e7", np.rint(1e7 * both).astype("<i4")
    yield "track-f32x2", both.astype("<f4")
    places = np.stack([rng.uniform(-90, 90, 30000), rng.uniform(-180, 180, 30000)], 1)
    yield "places-f64x2-random", places.astype("<f8")
    yield "places-i32x2-sorted", np.rint(1e6 * places[np.argsort(places[:, 0])]).astype("<i4")
    yield "places-f64-columns", np.rint(1e5 * places.T) / 1e5
    shapes = []
    for number in range(300):
        size = int(rng.integers(20, 300))
        line = np.cumsum(noise(rng, (size, 2)), 0) * 0.01 + rng.uniform(-90, 90, 2)
        shapes.append(raw(np.array([number + 1, 24 + 8 * size], ">i4"), np.array([3, size], "<i4"), line.astype("<f8")))
    yield "shapefile-like", raw(bytes(100), *shapes)


@kind
def points(rng):
    """Point clouds, meshes and records of laser scanners."""
    count = length(rng, 12)
    ground = np.cumsum(noise(rng, (count, 3)) * [0.1, 0.1, 0.02], 0)
    yield "cloud-f32x3", ground.astype("<f4")
    yield "cloud-f32x3-shuffled", rng.permutation(ground).astype("<f4")
    yield "cloud-i32x3-millimetres", np.rint(1000 * ground).astype("<i4")
    yield "cloud-f64x3-millimetres", np.rint(1000 * ground) / 1000
    yield "scanner-20-bytes", columns(count,
                                      xyz=(("<i4", 3), np.rint(1000 * ground)),
                                      light=("<u2", rng.integers(0, 900, count)),
                                      echo=("u1", often(rng, count, 5)),
                                      kind=("u1", 2),
                                      angle=("i1", clipped(40 * np.sin(np.arange(count) / 300), "i1")),
                                      user=("u1", 0),
                                      source=("<u2", 7))
    yield "cloud-f32x4-intensity", np.column_stack([ground, rng.integers(0, 256, count) / 255]).astype("<f4")
    u, v = np.meshgrid(np.linspace(0, 6.28, 90), np.linspace(0, 3.14, 60))
    ball = np.stack(
        [np.cos(u) * np.sin(v), np.sin(u) * np.sin(v), np.cos(v)], 2) * (1 + 0.01 * noise(rng, u.shape))[:, :, None]
    a, b, c = ball[:-1, :-1].reshape(-1, 3), ball[1:, :-1].reshape(-1, 3), ball[1:, 1:].reshape(-1, 3)
    normal = np.cross(b - a, c - a)
    normal /= np.linalg.norm(normal, axis=1)[:, None] + 1e-9
    yield "stl-50-bytes", raw(bytes(80), np.array([len(a)], "<u4"),
                              columns(len(a), n=(("<f4", 12), np.hstack([normal, a, b, c])), attribute=("<u2", 0)))
    corner = np.arange(59 * 89)
    yield "mesh-vertices-then-indices", raw(
        ball.astype("<f4"),
        np.stack([corner, corner + 1, corner + 90, corner + 1, corner + 91, corner + 90], 1).astype("<u4"))
    yield "obj-text", b"".join(b"v %.6f %.6f %.6f\n" % tuple(p) for p in ball.reshape(-1, 3)) + b"".join(
        b"f %d %d %d\n" % (i + 1, i + 2, i + 91) for i in corner)


# Integers that count, name or order things.


@kind
def timestamps(rng):
    count = length(rng, 8)
    start = 1700000000
    yield "ns-irregular", (start * 10**9 + np.cumsum(rng.exponential(1e6, count)).astype(np.int64)).astype("<i8")
    yield "ns-regular", (start * 10**9 + 4000000 * np.arange(count)).astype("<i8")
    yield "ns-jitter", (start * 10**9 + 4000000 * np.arange(count) + rng.integers(-900, 900, count)).astype("<i8")
    yield "ms-gaps", (start * 1000 + np.cumsum(np.where(rng.random(count) < 0.001, 3600000, 100))).astype("<i8")
    yield "us-bursts", (start * 10**6 + np.cumsum(
        np.where(rng.random(count) < 0.05, rng.integers(0, 10**7, count), rng.integers(1, 30, count)))).astype("<i8")
    yield "s-u32", (start + np.cumsum(rng.integers(0, 4, count))).astype("<u4")
    yield "s-be32", (start + np.cumsum(rng.integers(0, 4, count))).astype(">u4")
    yield "f64-seconds", start + np.cumsum(rng.exponential(0.01, count))
    yield "f64-days-regular", 45000 + np.arange(count) / 1440
    yield "ns-unsorted", (start * 10**9 + rng.integers(0, 10**12, count)).astype("<i8")
    yield "text-iso", "".join(
        f"2024-05-{1 + s // 86400 % 28:02d}T{s // 3600 % 24:02d}:{s // 60 % 60:02d}:{s % 60:02d}Z\n"
        for s in np.cumsum(rng.integers(0, 9, 40000))).encode()


@kind
def ids(rng):
    count = length(rng, 8)
    yield "u32-sorted", np.sort(rng.integers(0, 1 << 32, 2 * count)).astype("<u4")
    yield "u64-sorted", np.sort(rng.integers(0, 1 << 62, count)).astype("<u8")
    yield "u32-random-small", rng.integers(0, 100000, 2 * count).astype("<u4")
    yield "u64-random", rng.integers(0, 1 << 62, count).astype("<u8")
    yield "u32-often", (rng.permutation(5000)[often(rng, 2 * count, 5000)] * 7919).astype("<u4")
    yield "uuid", rng.integers(0, 256, (count // 2, 16), np.uint8)
    yield "uuid-repeated", rng.integers(0, 256, (500, 16), np.uint8)[often(rng, count // 2, 500)]
    yield "u64-snowflake", ((np.cumsum(rng.integers(0, 5, count)) << 22) | (often(rng, count, 8) << 12) |
                            rng.integers(0, 3, count)).astype("<u8")
    yield "u32-permutation", rng.permutation(count).astype("<u4")
    yield "hashes-text", b"\n".join(bytes(row).hex().encode() for row in rng.integers(0, 256, (9000, 20), np.uint8))


@kind
def counts(rng):
    """Sparse counts, histograms, sparse matrices."""
    for name, dtype, mean in (("u8-rare", "u1", 0.02), ("u16-rare", "<u2", 0.1), ("u32-rare", "<u4", 0.5),
                              ("u64-rare", "<u8", 0.3), ("u32-be", ">u4", 4)):
        count = length(rng, np.dtype(dtype).itemsize)
        yield name, rng.poisson(mean * np.exp(smooth(rng, count, 500)), count).astype(dtype)
    rows = rng.poisson(30, 4000)
    indices = np.concatenate([np.sort(rng.choice(9000, size, replace=False)) for size in rows])
    data = 1 + rng.geometric(0.6, len(indices))
    yield "csr-i32-f32", raw(
        np.concatenate([[0], np.cumsum(rows)]).astype("<i8"), indices.astype("<i4"), data.astype("<f4"))
    yield "csr-indices-i64", indices.astype("<i8")
    yield "coo-i32x3", np.stack([np.repeat(np.arange(len(rows)), rows), indices, data], 1).astype("<i4")
    spectrum = rng.poisson(np.exp(9 - np.arange(8192) / 1100)[None, :] * rng.uniform(0.1, 1, (40, 1)))
    yield "spectra-u32", spectrum.astype("<u4")
    yield "varints", raw(
        *(bytes([v]) if v < 128 else bytes([v & 127 | 128, v >> 7]) for v in rng.geometric(0.02, 150000)))


@kind
def records(rng):
    """Tables with fields of different types; a record has a fixed number of bytes."""
    for _ in range(10):
        count = length(rng, 40)
        makers = (("u1", lambda: often(rng, count, 9)), ("<u2", lambda: rng.integers(0, 1000, count)),
                  ("<i4", lambda: walk(rng, count) * 20), ("<u4", lambda: np.arange(count) * 3 + 100),
                  ("<f4", lambda: smooth(rng, count, 20)), ("<f8", lambda: np.rint(100 * walk(rng, count, 0.01)) / 100),
                  ("<i8", lambda: 17 * 10**11 + np.cumsum(rng.integers(0, 900, count))),
                  ("S8", lambda: np.array(word_list(rng, 60))[often(rng, count, 60)].astype("S8")),
                  ("<u4", lambda: rng.integers(0, 1 << 32, count)), (">i2", lambda: walk(rng, count, 0.01) * 9),
                  ("u1", lambda: np.zeros(count)))
        chosen = [makers[i] for i in rng.integers(0, len(makers), int(rng.integers(2, 10)))]
        table = columns(count, **{f"f{i}": (dtype, make()) for i, (dtype, make) in enumerate(chosen)})
        yield f"{len(chosen)}-fields-{table.itemsize}-bytes-{count}", table
    count = length(rng, 24)
    symbol = np.zeros(256, [("name", "S16"), ("value", "<u8"), ("size", "<u8"), ("info", "u1"), ("section", "<u2"),
                            ("pad", "u1", 5)])
    symbol["name"] = word_list(rng, 256)
    yield "symbols-repeated", symbol[often(rng, 12000, 256)]
    yield "relocations-24", columns(count,
                                    offset=("<u8", 0x3C0000 + 8 * np.cumsum(rng.integers(1, 4, count))),
                                    info=("<u8", 8 | (often(rng, count, 300) << 32)),
                                    addend=("<i8", np.cumsum(rng.integers(-500, 900, count))))
    yield "length-prefixed", raw(*(raw(np.array([size, i], "<u2"), rng.integers(0, 20, size, np.uint8))
                                   for i, size in enumerate(rng.integers(4, 60, 9000) % 65536)))


@kind
def events(rng):
    """Packets, frames of a bus, hits in a detector."""
    count = 40000
    time = np.cumsum(rng.integers(50, 3000, count))
    yield "can-16-bytes", columns(
        count,
        t=("<u4", time),
        id=("<u2", 0x100 + 16 * (np.arange(count) % 7)),
        size=("<u2", 8),
        data=(("u1", 8), np.stack([clipped(128 + 40 * smooth(rng, count, 300 + 50 * i), "u1") for i in range(8)], 1)))
    packets = [
        raw(np.array([1700000000 + t // 10**6, t % 10**6, size, size], "<u4"), bytes([2, 0, 94, 16, 0, 9, 8, 0, 69, 0]),
            np.array([size, i % 65536, 64, 17], ">u2"), rng.integers(0, 256 if i % 3 else 4, size - 18, np.uint8))
        for i, (t, size) in enumerate(zip(time[:5000], rng.integers(60, 500, 5000)))
    ]
    yield "pcap-like", raw(np.array([0xA1B2C3D4, 0x40002, 0, 0, 65535, 1], "<u4"), *packets)
    hits = np.repeat(np.arange(9000), rng.poisson(6, 9000))
    yield "hits-14-bytes", columns(len(hits),
                                   event=("<u4", hits),
                                   channel=("<u2", rng.integers(0, 960, len(hits))),
                                   charge=("<f4", rng.exponential(30, len(hits))),
                                   tdc=("<u4", rng.integers(0, 1 << 20, len(hits))))
    yield "reads-i64x2f64x2", columns(count,
                                      a=("<i8", 10**9 + time),
                                      b=("<i8", rng.integers(5, 300, count)),
                                      c=("<f8", 90 + 10 * noise(rng, count)),
                                      d=("<f8", rng.exponential(2, count)))
    midi = raw(*(bytes([int(delay), 0x90, int(note), int(power)])
                 for delay, note, power in zip(rng.choice([0, 24, 48], 30000), 40 +
                                               often(rng, 30000, 40), rng.choice([0, 64, 80], 30000))))
    yield "midi-like", b"MThd" + midi


# Structures: pointers, pages, databases.


@kind
def tries(rng):
    """Nodes of a trie with the indices of their children in 24 or 32 bits, as databases of addresses have them."""
    for nodes, width, twins in ((20000, 3, False), (120000, 3, True), (300000, 3, True), (60000, 4, False), (200000, 4,
                                                                                                             True)):
        left = np.arange(1, nodes + 1) + (rng.random(nodes) < 0.3) * rng.integers(0, 4000, nodes)
        leaf = 0xFFFF00 + often(rng, nodes, 240)
        right = np.where(
            rng.random(nodes) < 0.6, leaf, np.minimum(np.arange(nodes) + 2 + rng.integers(0, 300, nodes), 0xFFFF00))
        children = np.stack([np.where(rng.random(nodes) < 0.25, leaf, left), right], 1)
        if twins:  # whole subtrees stand again far away, with the same leaves
            size = nodes // 6
            for at in (nodes // 2, nodes - size):
                children[at:at + size] = children[:size]
        yield f"{nodes}-nodes-{8 * width}-bits{'-twins' if twins else ''}", packed_24(
            children.ravel()) if width == 3 else children.astype("<u4")
    count = 40000
    yield "linked-list-16", columns(count,
                                    next=("<u4", 16 * rng.permutation(count)),
                                    value=("<u4", often(rng, count, 900)),
                                    previous=("<u4", 16 * rng.permutation(count)),
                                    flag=("<u4", 1))
    yield "pointers-64", (0x7F0000000000 + 16 * rng.integers(0, 90000, 60000)).astype("<u8")
    yield "offsets-then-text", raw(np.cumsum(rng.integers(3, 40, 30000)).astype("<u4"), prose(rng, 500000))


@kind
def bearoff(rng):
    """Tables of a game: for each position a row of 16-bit chances that sum to 65535; many rows stand again."""
    for positions, again, steps in ((900, 0.0, 32), (6000, 0.3, 32), (20000, 0.6, 16), (40000, 0.3, 64)):
        mean = 1.5 + np.sort(rng.uniform(0, steps / 3, positions)) + 0.3 * noise(rng, positions)
        chances = np.exp(-(np.arange(steps)[None, :] - mean[:, None])**2 / 5)
        table = np.floor(65535 * chances / chances.sum(1, keepdims=True)).astype("<u2")
        source = np.arange(positions)
        copied = rng.random(positions) < again
        source[copied] = (source[copied] * rng.random(copied.sum())).astype(int)
        yield f"{positions}x{steps}-again-{again}", raw(b"gnubg-OS-06-15-1-0-0xxxxxxxxxxxxxxxxxxx\n", table[source])
        if again == 0.3:
            short = [row[row > 0] for row in table[source]]
            yield f"{positions}x{steps}-packed-rows", raw(
                np.cumsum([len(row) for row in short]).astype("<u4"), np.concatenate(short))
    yield "endgame-u8", often(rng, 700000, 12, 2).astype("u1").reshape(-1, 100)[often(rng, 7000, 2000, 0.5)]


@kind
def databases(rng):
    for page, rows, style in ((4096, 8000, "numbers"), (4096, 6000, "text"), (1024, 3000, "blobs"), (8192, 60000,
                                                                                                     "numbers")):
        base = sqlite3.connect(":memory:")
        base.execute(f"pragma page_size={page}")
        base.execute("create table t(id integer primary key, a, b, c)")
        words = word_list(rng, 900)
        made = {
            "numbers": lambda i: (int(i * 7), float(np.rint(100 * rng.random()) / 100), int(rng.integers(0, 90))),
            "text": lambda i:
                    (" ".join(words[k] for k in rng.integers(0, 900, 12)), words[i % 900], int(rng.integers(0, 9))),
            "blobs": lambda i: (rng.bytes(120), bytes(80), words[i % 900])
        }[style]
        base.executemany("insert into t(a, b, c) values (?, ?, ?)", (made(i) for i in range(rows)))
        base.execute("create index k on t(b)")
        base.commit()
        yield f"sqlite-{page}-{rows}-{style}", base.serialize()
    pages = [
        raw(np.array([i, i + 1, 0, 40], "<u4"),
            np.sort(rng.integers(0, 1 << 30, 500)).astype("<u4"), bytes(2080)) for i in range(300)
    ]
    yield "pages-half-empty", raw(*pages)
    count = 30000
    yield "arrow-like", raw(b"ARROW1\0\0", np.arange(count, dtype="<i8"), np.packbits(rng.random(count) < 0.9),
                            bytes(10),
                            np.cumsum(rng.integers(2, 9, count)).astype("<i4"), prose(rng, 6 * count),
                            noise(rng, count).astype("<f8"))


@kind
def containers(rng):
    """Files with headers and several arrays: netCDF-3, FITS, NIfTI, NPY, NPZ, HDF5-like, MAT, TIFF-like."""
    grid = 280 + 9 * field(rng, (12, 90, 144), 2.1)
    axes = [np.arange(12) * 30.5, np.linspace(-90, 90, 90), np.linspace(0, 357.5, 144)]
    head = b"CDF\x01" + rng.integers(0, 90, 644, np.uint8).tobytes()
    yield "netcdf3-f32", raw(head, *(axis.astype(">f8") for axis in axes), grid.astype(">f4"),
                             np.rint(grid).astype(">i2"))
    steps = [
        raw(np.array([t], ">f8"), layer.astype(">f4"),
            np.rint(100 * (layer - 273)).astype(">i2")) for t, layer in enumerate(grid)
    ]
    yield "netcdf3-records", raw(head, *steps)
    cards = b"".join(
        card.ljust(80) for card in (b"SIMPLE  = T", b"BITPIX  = 16", b"NAXIS   = 2", b"NAXIS1  = 700", b"NAXIS2  = 600",
                                    b"BZERO   = 32768", b"END")).ljust(2880)
    sky = clipped(-31700 + 12 * noise(rng, (600, 700)) + 3000 * (rng.random((600, 700)) < 0.001), ">i2")
    yield "fits-i16", raw(cards, sky, bytes(-sky.nbytes % 2880))
    yield "fits-f32-table", raw(
        cards,
        columns(9000,
                ra=(">f8", rng.uniform(0, 360, 9000)),
                dec=(">f8", noise(rng, 9000) * 20),
                mag=(">f4", 12 + rng.exponential(2, 9000)),
                n=(">i2", often(rng, 9000, 20))))
    yield "nifti-f32", raw(np.array([348], "<i4"), bytes(344), b"n+1\0", (grid * (grid > 275)).astype("<f4"))
    npy = io.BytesIO()
    np.save(npy, grid.astype("<f8"))
    yield "npy-f64", npy.getvalue()
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as target:
        for name, array in (("grid", grid.astype("<f4")), ("axis", axes[2]), ("mask", grid > 280),
                            ("index", rng.permutation(40000))):
            member = io.BytesIO()
            np.save(member, array)
            target.writestr(zipfile.ZipInfo(name + ".npy"), member.getvalue())
    yield "npz", archive.getvalue()
    chunks = [
        raw(b"TREE", np.array([i, 4096, 8 * i, 0xFFFFFFFF], "<u4"), rng.integers(0, 3, 300, np.uint8), piece)
        for i, piece in enumerate(np.array_split(grid.astype("<f4").ravel(), 37))
    ]
    yield "hdf5-like", raw(b"\x89HDF\r\n\x1a\n" + bytes(88), *chunks, np.arange(20000, dtype="<i8"), b"attribute" * 20)
    yield "mat5-like", raw(
        b"MATLAB 5.0 MAT-file".ljust(128),
        *(raw(np.array([14, 8 * 2000, 6, 8], "<u4"),
              smooth(rng, 2000, 30).astype("<f8")) for _ in range(30)))
    strips = clipped(900 + 200 * field(rng, (400, 500), 1.7), "<u2")
    yield "tiff-strips", raw(b"II*\0\x08\0\0\0",
                             *(raw(strip, rng.integers(0, 9, 13, np.uint8)) for strip in np.array_split(strips, 25)))
    yield "many-arrays", raw(*(raw(b"ARR%03d" % i, np.array([300 + i], "<u4"), (walk(rng, 300 + i) *
                                                                                9).astype(("<i2", "<f4", "<i4",
                                                                                           "<f8")[i % 4]))
                               for i in range(200)))


@kind
def weather(rng):
    """Fields packed to a few bits with sections between them, as GRIB has them."""
    for bits in (8, 10, 12, 16, 24):
        messages = []
        for number in range(int(rng.integers(4, 20))):
            values = field(rng, (73, 144), 2)
            whole = np.rint((values - values.min()) / np.ptp(values) * (2**bits - 1)).ravel()
            body = packed_bits(whole, bits)
            section = raw(b"GRIB\0\0\0\x02", np.array([len(body), number], ">u8"), bytes(37),
                          np.array([values.min(), np.ptp(values)], ">f4"), rng.integers(0, 256, 20, np.uint8))
            messages += [section, body, b"7777"]
        yield f"grib-{bits}-bits", raw(*messages)
    sounding = [
        raw(
            np.array([i % 300, 20], ">i2"),
            np.rint(np.stack([1000 * np.exp(-np.arange(20) / 7), 150 - 30 * np.arange(20) + noise(rng, 20) * 5],
                             1)).astype(">i2")) for i in range(3000)
    ]
    yield "soundings-be16", raw(*sounding)
    pp = [
        raw(np.array([256], ">u4"),
            rng.integers(0, 40, 45).astype(">i4"), np.array([256, 4 * 96 * 73], ">u4"),
            (280 + 5 * field(rng, (73, 96), 2.2)).astype(">f4"), np.array([4 * 96 * 73], ">u4")) for _ in range(12)
    ]
    yield "pp-like-be-f32", raw(*pp)


# Text and what is no numbers.


@kind
def csv(rng):
    count = 20000
    time, value, other = np.cumsum(rng.integers(1, 9, count)), walk(rng, count), rng.integers(0, 1000, count)
    yield "fixed-rows", "".join(f"{t:010d},{v:+09.3f},{o:04d}\n" for t, v, o in zip(time, value, other)).encode()
    yield "varying-rows", "".join(f"{t},{v:.3f},{o}\n" for t, v, o in zip(time, value, other)).encode()
    yield "fixed-crlf-headed", b"time;value;other\r\n" + "".join(
        f"{t:8d};{v:9.2f};{o:5d}\r\n" for t, v, o in zip(time, value, other)).encode()
    wide = walk(rng, 20 * 2000).reshape(2000, 20)
    yield "fixed-wide", "".join("".join(f"{v:10.4f}" for v in row) + "\n" for row in wide).encode()
    yield "exponents", "".join(" ".join(f"{v: .7e}" for v in row) + "\n" for row in wide[:1500]).encode()
    yield "varying-wide", "".join("\t".join(f"{v:.2f}" for v in row) + "\n" for row in wide).encode()
    words = word_list(rng, 400)
    yield "people", "".join(f'{i},"{words[a]} {words[b]}",{19 + c},{words[b]}@{words[c]}.org\n'
                            for i, (a, b, c) in enumerate(rng.integers(0, 60, (12000, 3)))).encode()
    yield "sparse", "".join(
        ",".join("" if v < 0.9 else f"{v:.2f}" for v in row) + "\n" for row in rng.random((4000, 30))).encode()


@kind
def text(rng):
    words, count = word_list(rng, 700), 9000
    time, user, size = np.cumsum(rng.exponential(2, count)), often(rng, count, 700), rng.integers(0, 100000, count)
    yield "prose", prose(rng, length(rng))
    yield "prose-large", prose(rng, 9 * MIB)
    yield "json-lines", "".join(
        f'{{"ts":{1.7e9 + t:.3f},"user":"{words[u]}","bytes":{s},"ok":{"true" if s % 9 else "false"}}}\n'
        for t, u, s in zip(time, user, size)).encode()
    yield "json-nested", (
        "[" + ",".join(f'{{"id":{i},"at":[{noise(rng, 1)[0]:.5f},{noise(rng, 1)[0]:.5f}],"tags":["{words[u]}"]}}'
                       for i, u in enumerate(user)) + "]").encode()
    yield "log-server", "".join(
        f'10.0.{u % 250}.{s % 250} - - [12/Mar/2024:{int(t) // 3600 % 24:02d}:{int(t) // 60 % 60:02d}:{int(t) % 60:02d} +0000] "GET /{words[u]}/{words[s % 90]} HTTP/1.1" 200 {s}\n'
        for t, u, s in zip(time, user, size)).encode()
    yield "log-kernel", "".join(
        f"[{t:12.6f}] {words[u % 20]} 0000:{u % 256:02x}:00.0: {words[s % 300]} {words[u]} 0x{s:08x}\n"
        for t, u, s in zip(time, user, size)).encode()
    yield "xml", (
        "<g>" +
        "".join(f'<p id="{i}" x="{s % 977}" y="{u}">{words[u]}</p>\n' for i, (u, s) in enumerate(zip(user, size))) +
        "</g>").encode()
    yield "source", "".join(
        f"{'    ' * (i % 4)}{'if' if s % 3 else 'for'} ({words[u]} {'<' if s % 2 else '=='} {s % 100}) {{ {words[s % 50]}({words[u % 90]}); }}\n"
        for i, (u, s) in enumerate(zip(user, size))).encode()
    yield "hex-dump", "".join(f"{16 * i:08x}  {row.hex(' ')}\n" for i, row in enumerate(
        rng.integers(0, 64, (6000, 16), np.uint8).tobytes()[k:k + 16] for k in range(0, 96000, 16))).encode()
    yield "utf16", prose(rng, 200000).decode().encode("utf-16-le")


def tar(members):
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w") as archive:
        for name, data in members:
            member = tarfile.TarInfo(name)
            member.size, member.mtime = len(data), 1700000000
            archive.addfile(member, io.BytesIO(data))
    return target.getvalue()


def png_like(rng, side):
    picture = clipped(128 + 40 * field(rng, (side, side), 1.8), "u1")
    return raw(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", np.array([side, side], ">u4"), b"IDAT",
               zlib.compress(picture.tobytes()), b"IEND")


@kind
def archives(rng):
    """Many small files that are alike."""
    yield "tar-texts", tar((f"texts/{i:04d}.txt", prose(rng, int(rng.integers(300, 5000)))) for i in range(60))
    page = prose(rng, 4000)
    yield "tar-almost-equal-texts", tar(
        (f"man/{i:04d}.txt", page[:i * 9] + b"%d" % i + page[i * 9:]) for i in range(300))
    yield "tar-small-records", tar(
        (f"r/{i:04d}.bin",
         raw(columns(200, t=("<u4", 40 * np.arange(200)), v=("<f4", smooth(rng, 200, 9)), s=("<u2", i))))
        for i in range(200))
    yield "tar-small-waves", tar(
        (f"w/{i}.raw", raw(clipped(900 * walk(rng, int(rng.integers(100, 900)), 0.02), "<i2"))) for i in range(300))
    yield "tar-png-like", tar((f"icons/{i}.png", png_like(rng, int(rng.choice([16, 24, 32, 48])))) for i in range(300))
    yield "tar-big-grids", tar(
        (f"grid{i}.npy", raw((300 + 9 * field(rng, (256, 300), 2)).astype("<f4"))) for i in range(8))
    mixed = [("a.txt", prose(rng, 90000)), ("b.i16", raw(clipped(900 * walk(rng, 90000, 0.01), "<i2"))),
             ("c.gz", zlib.compress(prose(rng, 90000))), ("d.f64", raw(walk(rng, 30000)))]
    yield "tar-mixed", tar(mixed)
    yield "tar-mixed-twice-large", tar([(f"{copy}/{i}/{name}", data)
                                        for copy in "ab"
                                        for i in range(12)
                                        for name, data in [(mixed[i % 4][0], mixed[i % 4][1])]] +
                                       [("rest", rng.bytes(4 * MIB)), ("again/c.gz", mixed[2][1])])


@kind
def letters(rng):
    """DNA and proteins."""
    bases = np.frombuffer(b"ACGT", np.uint8)
    genome = bases[rng.integers(0, 4, 700000)]
    genome[400000:460000] = genome[100000:160000]
    yield "dna", genome
    yield "dna-fasta", b">chr1\n" + b"\n".join(genome.tobytes()[at:at + 60] for at in range(0, 600000, 60))
    reads = []
    for number, at in enumerate(rng.integers(0, 690000, 4000)):
        quality = clipped(70 - np.arange(100) / 5 + 2 * noise(rng, 100), "u1")
        reads.append(b"@run1:%d:%d\n" % (number // 100, number) + genome[at:at + 100].tobytes() + b"\n+\n" +
                     quality.tobytes() + b"\n")
    yield "fastq", b"".join(reads)
    yield "dna-2-bits", packed_bits(np.searchsorted(bases, genome), 2)
    yield "protein", np.frombuffer(b"LAGVSEIKRDTPNQFYHMCW", np.uint8)[often(rng, length(rng), 20, 0.5)]
    yield "dna-repeats-large", raw(genome, bases[rng.integers(0, 4, 9 * MIB)], genome[:500000])


@kind
def fonts(rng):
    """Offsets of glyphs and their outlines: flags, then differences in one or two bytes, then metrics; big-endian."""
    for glyphs in (600, 3000):
        outlines = []
        for _ in range(glyphs):
            size = int(rng.integers(8, 60))
            outlines.append(
                raw(np.array([1, -20, -10, 900, 1400, size], ">i2"),
                    rng.choice(np.array([1, 3, 18, 51, 55], np.uint8), size),
                    rng.integers(0, 256, 2 * size, np.uint8) // 2))
        places = np.cumsum([0] + [len(outline) for outline in outlines])
        metrics = np.stack([rng.choice([1139, 1251, 1024, 569], glyphs), rng.integers(0, 200, glyphs)], 1)
        yield f"truetype-like-{glyphs}", raw(bytes(268), metrics.astype(">u2"), places.astype(">u4"), *outlines,
                                             prose(rng, 9000))
    yield "bitmap-font", raw(*(np.packbits(field(rng, (16, 8), 1.5) > 0.2) for _ in range(4000)))


@kind
def machine_code(rng):
    """Something like code: instructions of different lengths with addresses that come again."""
    parts = []
    common = [rng.integers(0, 256, int(size), np.uint8).tobytes() for size in rng.integers(1, 8, 400)]
    for index in often(rng, 60000, 400):
        parts.append(common[index])
        if index % 7 == 0:
            parts.append(np.array([rng.integers(-60000, 60000)], "<i4").tobytes())
    code = b"".join(parts)
    yield "code", code
    table = (0x400000 + 16 * np.sort(rng.integers(0, 60000, 9000))).astype("<u8")
    yield "code-then-tables", raw(
        b"\x7fELF" + bytes(60), code, table,
        columns(9000, a=("<i4", -16 * np.arange(9000)), b=("<i4", rng.integers(0, 9000, 9000))), prose(rng, 60000))
    words = rng.choice(rng.integers(0, 1 << 32, 900), 90000).astype("<u4")
    yield "words-of-32-bits", np.where(rng.random(90000) < 0.2, 0x94000000 | rng.integers(0, 1 << 16, 90000),
                                       words).astype("<u4")


@kind
def compressed(rng):
    """What is compressed already, and random bytes."""
    plain = prose(rng, 900000)
    grid = raw((280 + 5 * field(rng, (300, 400), 2)).astype("<f4"))
    yield "gz-text", zlib.compress(plain)
    yield "gz-grid", zlib.compress(grid)
    yield "xz-text", lzma.compress(plain)
    yield "zst-grid", subprocess.run(["zstd", "-q", "-c"], input=grid, stdout=subprocess.PIPE, check=True).stdout
    yield "zst-text-twice", 2 * subprocess.run(["zstd", "-q", "-c"], input=plain, stdout=subprocess.PIPE,
                                               check=True).stdout
    yield "gz-members", b"".join(zlib.compress(plain[at:at + 9000]) for at in range(0, 900000, 9000))
    yield "random", rng.bytes(length(rng))
    yield "random-large", rng.bytes(9 * MIB)
    yield "random-then-zeros", rng.bytes(300000) + bytes(600000) + rng.bytes(90000)
    again = rng.bytes(400000)
    yield "random-repeated", again + again
    yield "random-repeated-large", raw(again, rng.bytes(MIB), again, rng.bytes(9 * MIB), again)


@kind
def constant(rng):
    yield "zeros", bytes(length(rng))
    yield "zeros-large", bytes(20 * MIB)
    yield "ones-f64", np.ones(length(rng, 8))
    yield "rare-ones", (rng.random(length(rng)) < 1e-4).astype("u1")
    yield "steps-f32", np.repeat(noise(rng, 60), 5000).astype("<f4")
    yield "ramp-u32", np.arange(length(rng, 4), dtype="<u4")
    yield "almost-constant-i64", (10**12 + (rng.random(length(rng, 8)) < 1e-3)).astype("<i8")
    yield "zeros-with-islands", raw(
        *(raw(bytes(int(gap)), clipped(900 * walk(rng, 2000, 0.01), "<i2")) for gap in rng.integers(1000, 90000, 20)))


@kind
def repeats(rng):
    """Blocks that come again after 1.5 to 12 MiB, with other data between."""

    def block(size):
        return (lambda: rng.bytes(size), lambda: raw(clipped(2000 * walk(rng, size // 2, 0.02), "<i2")), lambda: raw(
            (9 * smooth(rng, size // 4, 12)).astype("<f4")), lambda: prose(rng, size))[int(rng.integers(0, 4))]()

    for distance in (1.5, 3, 5, 7.5, 9, 12):
        kept = block(600000)
        between = [block(700000) for _ in range(int(distance * MIB) // 700000)]
        yield f"after-{distance}-MiB", raw(kept, *between, kept, between[0])
    frames = clipped(3000 * walk(rng, 400000, 0.01), "<i2")
    yield "changed-a-little", raw(
        *(np.where(rng.random(len(frames)) < 0.01, frames + 1, frames).astype("<i2") for _ in range(12)))
    edited = frames.tobytes()
    yield "shifted-by-odd-bytes", b"".join(b"x" * cut + edited for cut in (0, 1, 3, 7, 13))


@kind
def series(rng):
    """The same numbers again and again, in part changed: frames of a still camera, states of a model, copies of a table."""
    for distance in (60 * KIB, 300 * KIB, 700 * KIB, 1200 * KIB, 1800 * KIB):
        rows = distance // 1000
        still = clipped(900 + 200 * field(rng, (rows, 500), 1.7) + 6 * noise(rng, (rows, 500)), "<u2")
        frames = []
        for _ in range(max(3, int(3.2 * MIB) // distance)):
            frame, (top, left) = still.copy(), rng.integers(0, (rows // 2, 250))
            frame[top:top + rows // 3, left:left + 120] = rng.integers(0, 4096)
            frames.append(frame)
        yield f"camera-u16-{distance}", np.stack(frames)
        state = (280 + 9 * smooth(rng, distance // 8, 20)).astype("<f8")
        states = [
            np.where(rng.random(len(state)) < changed, state + 1e-3 * noise(rng, len(state)), state)
            for changed in (0, 0.001, 0.01, 0.1)
        ]
        yield f"states-f64-{distance}", np.stack(states)
        size = distance // 20
        table = columns(size,
                        id=("<u4", rng.permutation(size)),
                        x=("<f4", smooth(rng, size, 9)),
                        y=("<f4", noise(rng, size)),
                        t=("<i8", np.cumsum(rng.integers(0, 9000, size))))
        later = table.copy()
        later["y"][::50] += 1
        yield f"table-versions-{distance}", raw(table, table[:size // 2], later, later[size // 3:], table)


@kind
def halves(rng):
    """Parts that have nothing in common, one after the other."""

    def parts(size):
        side = int(np.sqrt(size / 4))
        return {
            "text": prose(rng, size),
            "i16": raw(clipped(900 * walk(rng, size // 2, 0.01), "<i2")),
            "f32": raw((280 + 9 * field(rng, (side, side), 2.1)).astype("<f4")),
            "random": rng.bytes(size),
            "zeros": bytes(size),
            "rgb": raw(clipped(128 + 40 * field(rng, (size // 300, 100, 3), 1.7), "u1")),
            "f64be": raw(walk(rng, size // 8).astype(">f8")),
            "records": raw(
                columns(size // 14,
                        t=("<i8", np.arange(size // 14) * 50),
                        v=("<f4", smooth(rng, size // 14, 9)),
                        n=("<u2", often(rng, size // 14, 30))))
        }

    for first, second in (("text", "i16"), ("i16", "text"), ("f32", "rgb"), ("random", "i16"), ("i16", "zeros"),
                          ("f64be", "f32"), ("records", "text"), ("rgb", "random"), ("records", "i16")):
        size = length(rng, 1, 60 * KIB)
        yield f"{first}-{second}", raw(parts(size)[first], parts(int(size * rng.uniform(0.2, 3)))[second])
    yield "all", raw(*parts(200000).values())
    yield "all-twice", raw(*parts(90000).values(), *parts(70001).values())
    yield "all-large", raw(*parts(1300001).values())
    yield "a-little-of-each", raw(*(raw(*parts(5000).values()) for _ in range(12)))


def write_kind(name, options):
    """Gives the number of the kind's files, and of their bytes."""
    folder = options.folder / name
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng([options.seed, zlib.crc32(name.encode())])
    sizes = [(folder / f"{title}.bin").write_bytes(raw(data)) for title, data in KINDS[name](rng)]
    return len(sizes), sum(sizes)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", metavar="DIR", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="*", metavar="GLOB", help="only the kinds that match")
    options = parser.parse_args()
    total = np.zeros(2, np.int64)
    for name in fnmatch.filter(KINDS, options.only):
        written = write_kind(name, options)
        total += written
        print(f"{name}: {written[0]} files, {written[1] / MIB:.1f} MiB", file=sys.stderr, flush=True)
    print(f"{total[0]} files, {total[1] / MIB:.1f} MiB")


if __name__ == "__main__":
    main()
