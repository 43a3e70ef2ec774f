#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the first bytes of files that other programs wrote: sniff_real_headers.py > sniff_real_headers.hpp

The expected hint follows from the array that was written. Its place is found by a search for its bytes in the file,
so this script knows no format. Needs python3 with numpy, scipy, pillow, tifffile, nibabel, astropy and
soundfile, up to Python 3.12 (aifc). The committed header was made once, with the versions that its first lines name.
"""
import os
import re
import sys
import tempfile
import warnings
import wave

import numpy as np

warnings.simplefilter("ignore")
import aifc

import astropy
import nibabel
import PIL
import scipy
import scipy.io
import soundfile
import tifffile
from astropy.io import fits
from PIL import Image

RUN = 8  # shorter runs of a byte are cheaper written out
random = np.random.default_rng(20240607)
rows = []


def packed(data):
    """Hex; "00*340 " means 340 equal bytes."""
    text, at = "", 0
    while at < len(data):
        end = at
        while end < len(data) and data[end] == data[at]:
            end += 1
        text += f" {data[at]:02X}*{end - at} " if end - at >= RUN else data[at:end].hex().upper()
        at = end
    return re.sub(" +", " ", text).strip()


def keep(what, format, type, path, payload, row=0, big_endian=False):
    with open(path, "rb") as file:
        data = file.read()
    offset = data.find(payload)
    assert offset > 0 and len(payload) >= 16, what
    rows.append((what, format, type, offset, big_endian, row, packed(data[:offset])))


def numbers(shape, dtype):
    """Values whose bytes occur nowhere else in a file."""
    return (random.random(shape) * 200 + 20).astype(dtype)


def sound():
    x = random.integers(-9000, 9000, (100, 2)).astype("<i2")
    with wave.open("a", "wb") as file:
        file.setparams((2, 2, 8000, 0, "NONE", None))
        file.writeframes(x.tobytes())
    keep("wave, 16 bits", "WAV", "i16x2", "a", x.tobytes())
    with aifc.open("b", "wb") as file:
        file.aifc()
        file.setparams((2, 2, 8000, 0, b"NONE", b"not compressed"))
        file.writeframes(x.astype(">i2").tobytes())  # as it is: aifc leaves the byte order to its caller
    keep("aifc, 16 bits", "AIFF", "i16x2", "b", x.astype(">i2").tobytes(), big_endian=True)
    f = x / 32768
    floats, big_floats = f.astype("<f4").tobytes(), f.astype(">f4").tobytes()
    wide = (x.astype("<i4") << 16)
    three = b"".join(v.tobytes()[1:] for v in wide.ravel())
    for name, kind, subtype, endian, type, payload, big in [
        ("24 bits", "WAV", "PCM_24", "FILE", "w8x6", three, False),
        ("extensible float", "WAVEX", "FLOAT", "FILE", "f32x2", floats, False),
        ("RF64", "RF64", "PCM_16", "FILE", "i16x2", x.tobytes(), False),
        ("W64 double", "W64", "DOUBLE", "FILE", "f64x2", f.astype("<f8").tobytes(), False),
        ("RIFX", "WAV", "PCM_16", "BIG", "i16x2", x.astype(">i2").tobytes(), True),
        ("sowt", "AIFF", "PCM_16", "LITTLE", "i16x2", x.tobytes(), False),
        ("AIFF-C float", "AIFF", "FLOAT", "FILE", "f32x2", big_floats, True),
        ("AIFF, 32 bits backwards", "AIFF", "PCM_32", "LITTLE", "i32x2", wide.tobytes(), False),
    ]:
        soundfile.write("c", f, 44100, format=kind, subtype=subtype, endian=endian)
        keep("libsndfile, " + name, "AIFF" if kind == "AIFF" else "WAV", type, "c", payload, big_endian=big)


def arrays():
    for what, array, type, row in [
        ("series", numbers(50, "<f4"), "f32", 0),
        ("big-endian grid", numbers((9, 40), ">i2"), "i16", 40),
        ("picture", numbers((9, 40, 3), "u1"), "u8x3", 120),
        ("complex", numbers(50, "<c8"), "f32x2", 0),
        ("records", np.frombuffer(numbers(100, "<f4").tobytes(), [("t", "<f4"), ("p", "<f4", (3,))]), "f32x4", 0),
    ]:
        np.save("a.npy", array)
        keep("numpy, " + what, "NPY", type, "a.npy", array.tobytes(), row, ">" in array.dtype.str)
    array = np.asfortranarray(numbers((9, 40), "<f8"))
    np.save("a.npy", array)
    keep("numpy, Fortran order", "NPY", "f64", "a.npy", array.tobytes("F"), 9)


def pictures():
    rgb = numbers((21, 31, 3), "u1")
    wide = numbers((21, 31), "<u2") * 100
    bottom_up = b"".join(line[:, ::-1].tobytes() + b"\0" * 3 for line in rgb[::-1])
    Image.fromarray(rgb).save("p.ppm")
    keep("pillow", "PPM", "u8x3", "p.ppm", rgb.tobytes(), 93)
    Image.fromarray(wide.astype("i4")).save("p.pgm")
    keep("pillow, 16 bits", "PGM", "u16", "p.pgm", wide.astype(">u2").tobytes(), 31, True)
    Image.fromarray(rgb).save("p.bmp")
    keep("pillow", "BMP", "u8x3", "p.bmp", bottom_up, 96)
    Image.fromarray(rgb).save("p.tga")
    keep("pillow", "TGA", "u8x3", "p.tga", rgb[::-1, :, ::-1].tobytes(), 93)
    Image.fromarray(rgb).save("p.tif")
    keep("pillow", "TIFF", "u8x3", "p.tif", rgb.tobytes(), 93)
    tifffile.imwrite("p.tif", wide.astype(">u2"), byteorder=">")
    keep("tifffile, MM", "TIFF", "u16", "p.tif", wide.astype(">u2").tobytes(), 31, True)
    tifffile.imwrite("p.tif", floats := numbers((21, 31), "<f4"), bigtiff=True)
    keep("tifffile, BigTIFF", "TIFF", "f32", "p.tif", floats.tobytes(), 31)
    tifffile.imwrite("p.tif", rgb, photometric="rgb", rowsperstrip=4)
    keep("tifffile, strips", "TIFF", "u8x3", "p.tif", rgb.tobytes(), 93)


def volumes():
    for dtype, type, version in [(">i2", "i16", 1), ("<f4", "f32", 1), (">f8", "f64", 2)]:
        header = (nibabel.Nifti1Header if version == 1 else nibabel.Nifti2Header)(endianness=dtype[0])
        header.set_data_dtype(np.dtype(dtype))
        array = numbers((16, 20, 12), dtype)
        image = (nibabel.Nifti1Image if version == 1 else nibabel.Nifti2Image)(array, np.eye(4), header)
        nibabel.save(image, "v.nii")
        keep(f"nibabel, version {version}", "NIfTI", type, "v.nii", array.tobytes("F"), 16, dtype[0] == ">")
    for dtype, type in [(">i2", "i16"), (">f4", "f32")]:
        array = numbers((20, 30), dtype)
        hdu = fits.PrimaryHDU(array)
        hdu.header["OBSERVER"] = "END     of the night"
        hdu.writeto("v.fits", overwrite=True)
        keep("astropy", "FITS", type, "v.fits", array.tobytes(), 30, True)


def grids():
    def made(version, build):
        file = scipy.io.netcdf_file("g.nc", "w", version=version)
        file.history = "made for a test"
        payload = build(file)
        file.close()
        return payload

    def variable(file, name, axes, array):
        new = file.createVariable(name, array.dtype, axes)
        new.units = "metres"
        new[:] = array

    def grid(file):
        file.createDimension("lat", 20), file.createDimension("lon", 30)
        variable(file, "lat", ("lat",), numbers(20, ">f8"))
        variable(file, "height", ("lat", "lon"), array := numbers((20, 30), ">f4"))
        return array.tobytes()

    def table(file):
        file.createDimension("time", None)
        columns = [numbers(20, ">f8") for _ in range(3)]
        for name, column in zip("abc", columns):
            variable(file, name, ("time",), column)
        return np.stack(columns, 1).astype(">f8").tobytes()

    def series_of_rows(file):
        file.createDimension("time", None), file.createDimension("lon", 30)
        variable(file, "height", ("time", "lon"), array := numbers((20, 30), ">i2"))
        return array.tobytes()

    for version in (1, 2):
        keep(f"scipy, version {version}, grid", "netCDF", "f32", "g.nc", made(version, grid), 30, True)
        keep(f"scipy, version {version}, table", "netCDF", "f64x3", "g.nc", made(version, table), 0, True)
        keep(f"scipy, version {version}, rows", "netCDF", "i16", "g.nc", made(version, series_of_rows), 30, True)


def literal(hex, width=100):
    words = re.findall(rf".{{1,{width}}}", hex)
    return "\n".join(f'     "{word}"' for word in words)


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for part in (sound, arrays, pictures, volumes, grids):
            part()
    versions = ", ".join(f"{module.__name__} {module.__version__}"
                         for module in (np, scipy, PIL, tifffile, nibabel, astropy, soundfile))
    print("// SPDX-License-Identifier: Apache-2.0")
    print("// Made by sniff_real_headers.py; not edited by hand. Made with")
    print(f"// {versions},\n// libsndfile {soundfile.__libsndfile_version__}.")
    print("#pragma once\n\n#include <array>\n#include <cstdint>\n#include <string_view>\n")
    print("namespace tdz::formats {\n")
    print("struct RealHeader {\n  std::string_view what;\n  std::string_view format;\n  std::string_view type;")
    print("  std::uint64_t offset;\n  bool big_endian;\n  std::uint32_t row_words;")
    print('  std::string_view hex;  ///< pairs of digits; "00*340" between blanks is a run\n};\n')
    print("// clang-format off")
    print(f"inline constexpr std::array<RealHeader, {len(rows)}> kRealHeaders = {{{{")
    for what, format, type, offset, big_endian, row, hex in rows:
        truth = "true" if big_endian else "false"
        print(f'    {{"{what}", "{format}", "{type}", {offset}, {truth}, {row},\n{literal(hex)}}},')
    print("}};\n// clang-format on\n\n}  // namespace tdz::formats")


main()
