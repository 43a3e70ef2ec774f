# SPDX-License-Identifier: Apache-2.0
"""A plugin of pytest for suites_of_others.sh, whose tests know nothing of tdz: arrays of Zarr that name no compressor get tdz,
in versions 2 and 3, and data sets of h5py that have chunks and no compression get the filter, which then may not be left out.
At the end it prints how often tdz worked, so that a suite that never met it does not pass for one that did."""
import collections
import importlib.util
import threading

import tdz

COUNTS = collections.Counter()
LOCK = threading.Lock()


def counted(name):
    work = getattr(tdz, name)

    def call(*given, **named):
        with LOCK:
            COUNTS[name] += 1
        return work(*given, **named)

    setattr(tdz, name, call)


def in_zarr():
    import zarr.core.array

    import tdz.numcodecs
    import tdz.zarr

    counted("encode_block")
    counted("decode_block")
    zarr.core.array.default_compressors_v3 = lambda dtype: (tdz.zarr.Tdz(),)
    zarr.core.array.default_compressor_v2 = lambda dtype: tdz.numcodecs.Tdz()


def in_h5py():
    from h5py import h5d, h5z
    from h5py._hl import filters

    import tdz.hdf5

    fill_dcpl = filters.fill_dcpl

    def with_tdz(plist, shape, dtype, chunks, compression, *given, **named):
        made = fill_dcpl(plist, shape, dtype, chunks, compression, *given, **named)
        scaled = any(made.get_filter(i)[0] == h5z.FILTER_SCALEOFFSET for i in range(made.get_nfilters()))
        if made.get_layout() == h5d.CHUNKED and compression is None and not scaled:
            made.set_filter(tdz.hdf5.FILTER_ID, h5z.FLAG_MANDATORY, tdz.hdf5.options()["compression_opts"])
            COUNTS["data sets with the filter"] += 1
        return made

    filters.fill_dcpl = with_tdz


for module, patch in ("zarr", in_zarr), ("h5py", in_h5py):
    if importlib.util.find_spec(module):
        patch()


def pytest_terminal_summary(terminalreporter):
    terminalreporter.write_line(f"tdz {tdz.__version__}: " + ", ".join(f"{COUNTS[name]} {name}" for name in sorted(COUNTS)))
