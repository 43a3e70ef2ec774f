# SPDX-License-Identifier: Apache-2.0
"""A first program in Python: packs an array as the bytes of a .tdz file, restores it, and reads a part of a file.

    python3 arrays.py
"""

import os
import tempfile

import numpy

import tdz

# A day of temperatures, one each second, in hundredths of a degree.
seconds = numpy.arange(86400)
noise = numpy.random.default_rng(1).integers(-2, 3, seconds.size)
wave = (1500 + 800 * numpy.sin(seconds / 13750) + noise).astype('i2')

packed = tdz.compress(wave)
again = numpy.frombuffer(tdz.decompress(packed), wave.dtype)
assert (again == wave).all()
print(f'{wave.nbytes} bytes, packed {len(packed)}, equal')

with tempfile.TemporaryDirectory() as folder:
    name = os.path.join(folder, 'day.tdz')
    with tdz.open(name, 'wb') as file:
        file.write(wave)
    with tdz.open(name) as file:  # only the chunks with these bytes are decoded
        file.seek(43200 * wave.itemsize)
        noon = numpy.frombuffer(file.read(60 * wave.itemsize), wave.dtype)
assert (noon == wave[43200:43260]).all()
print(f'noon: {noon.mean() / 100:.2f} degrees')
