#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cuts the samples out of the Debian packages that README.md names: cut.py ROOT, where ROOT holds the unpacked packages.

    apt-get download fluid-soundfont-gm ferret-datasets proj-data astrometry-data-tycho2-09-littleendian
    for package in *.deb; do dpkg-deb -x "$package" ROOT; done
    python3 samples/cut.py ROOT
"""
import array
import pathlib
import sys

HERE = pathlib.Path(__file__).parent


def words(root, path, code, offset, count):
    """`count` array(`code`) items from byte `offset` of a file."""
    values = array.array(code)
    with open(root / "usr/share" / path, "rb") as file:
        file.seek(offset)
        values.fromfile(file, count)
    return values


def big_endian(values):
    values.byteswap()
    return values


def audio(root):
    """The smpl chunk is little-endian 16-bit PCM already."""
    return words(root, "sounds/sf2/FluidR3_GM.sf2", "H", 36700436, 262144)


def geoid(root):
    """91 rows of 1440 after the 40-byte header of a GTX grid: latitudes 0 to 22.5 N."""
    return big_endian(words(root, "proj/egm96_15.gtx", "I", 40 + 360 * 5760, 91 * 1440))


def relief(root):
    """60 rows of 4320, whole metres stored as floats: latitudes 27.5 N to 32.5 N."""
    metres = big_endian(words(root, "ferret-vis/data/etopo5.cdf", "f", 52552 + 1410 * 17280, 60 * 4320))
    return array.array("h", map(int, metres))


def stars(root):
    """Unit vectors as three 32-bit integers, in the order of the tree that indexes them."""
    return words(root, "astrometry/index-tycho2-09.littleendian.fits", "I", 28756800, 43690 * 3)


def winds(root):
    """Six months; a record holds the time, one grid of eastward and one of northward components."""
    path, grid, pairs = "ferret-vis/data/monthly_navy_winds.cdf", 73 * 144, array.array("I")
    for month in range(60, 66):
        eastward = 2656 + month * (8 * grid + 8)
        components = (words(root, path, "I", start, grid) for start in (eastward, eastward + 4 * grid))
        for pair in zip(*components):
            pairs.extend(pair)
    return big_endian(pairs)


SAMPLES = {
    "audio_i16x1.bin": audio,
    "geoid_f32x1.bin": geoid,
    "relief_i16x1.bin": relief,
    "stars_u32x3.bin": stars,
    "winds_f32x2.bin": winds,
}

if __name__ == "__main__":
    if sys.byteorder != "little" or len(sys.argv) != 2:
        sys.exit("usage (little-endian machine): cut.py ROOT")
    for name, cut in SAMPLES.items():
        (HERE / name).write_bytes(cut(pathlib.Path(sys.argv[1])).tobytes())
