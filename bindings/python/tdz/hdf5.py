# SPDX-License-Identifier: Apache-2.0
"""HDF5: data sets whose chunks are blocks of tdz.

    import h5py, tdz.hdf5
    with h5py.File('heights.h5', 'w') as file:
        file.create_dataset('heights', data=heights, chunks=(128, 4096), **tdz.hdf5.options())

Importing this module tells every libhdf5 of this process, and of processes that it starts, where the filter plugin
lies: those of h5py and netCDF4, whichever was imported first; and netCDF-C's Zarr, before it opens its first array.
Programs in other languages find the plugin through the
environment variable HDF5_PLUGIN_PATH.
"""

import ctypes
import os
import pathlib
import re
import struct
from typing import TypedDict

from tdz._core import Plan, hdf5_filter

__all__ = ['FILTER_ID', 'Options', 'options', 'plugin_path', 'register']

#: Not registered: a number for tests, which another filter may have too. It will change when one is registered.
FILTER_ID = hdf5_filter

_LAYOUTS = {'interleaved': 1, 'planes': 2, 'tuple-planes': 3, 'bit-planes': 4, 'packed': 5}
_BIG_ENDIAN, _NO_ZIGZAG, _NO_DIFFERENCE, _NO_ROWS = 1, 2, 4, 8
_USUAL_PATH = '/usr/local/hdf5/lib/plugin'  # where HDF5 looks if nobody says anything else


def plugin_path() -> str:
    """The folder of the plugin, for HDF5_PLUGIN_PATH or H5PLprepend."""
    return str(pathlib.Path(__file__).resolve().parent / 'plugins')


class Options(TypedDict):
    """Arguments of h5py's create_dataset."""

    compression: int
    compression_opts: tuple[int, ...]


def options(
    plan: Plan | None = None,
    *,
    word: int = 0,
    tuple: int = 0,
    order: int | None = None,
    layout: str | None = None,
    row: int | None = None,
    zigzag: bool = True,
    big_endian: bool = False,
    level: int | None = None,
) -> Options:
    """Arguments for h5py's create_dataset.

    Without arguments the filter decides from the type and the shape of a chunk: a difference of order 1 over the
    tuple, and one over rows where a chunk has rows. A plan says everything; tdz.plan(sample) finds a good one.

    word        bytes of a number
    tuple       numbers of a record
    order       of the difference, 0 to 8
    layout      'interleaved', 'planes', 'tuple-planes', 'bit-planes', or 'packed': groups of 16 numbers without zstd,
                as the effort 'fastest' of tdz.plan packs them. Larger, and faster
    row         numbers of a row, for a second difference; 0: none
    level       of zstd, 1 to 22; 3 if nobody says it, or the plan's
    """
    if plan is not None:
        if level is not None or word or tuple or order is not None or layout is not None or row is not None:
            raise ValueError('a plan says everything: no other argument goes with it')
        stored = plan.to_bytes()
        stored += bytes(-len(stored) % 8)
        return _options(1, 1, 0, 0, 0, plan.level, 0, *struct.unpack(f'<{len(stored) // 4}I', stored))
    if layout is not None and layout not in _LAYOUTS:
        raise ValueError(f'layout must be one of {", ".join(_LAYOUTS)}')
    if order is not None and not 0 <= order <= 8:
        raise ValueError('order must be 0 to 8')
    if level is not None and not 1 <= level <= 22:
        raise ValueError('level must be 1 to 22')
    if not 0 <= word <= 8:
        raise ValueError('word must be 1 to 8')
    flags = (
        (_BIG_ENDIAN if big_endian else 0)
        | (0 if zigzag else _NO_ZIGZAG)
        | (_NO_DIFFERENCE if order == 0 else 0)
        | (_NO_ROWS if row == 0 else 0)
    )
    return _options(word, tuple, order or 0, _LAYOUTS[layout] if layout else 0, row or 0, level or 0, flags)


def _options(*values: int) -> Options:
    return {'compression': FILTER_ID, 'compression_opts': (1, *values)}


def register() -> None:
    """What importing this module does: each libhdf5 looks for plugins in plugin_path() too.

    A libhdf5 that is loaded later takes the path from HDF5_PLUGIN_PATH.
    """
    path = plugin_path()
    listed = os.environ.get('HDF5_PLUGIN_PATH', _USUAL_PATH).split(os.pathsep)
    if path not in listed:
        os.environ['HDF5_PLUGIN_PATH'] = os.pathsep.join([path, *listed])
    for library in _loaded_libraries('libhdf5'):
        if not re.search(r'libhdf5\w*_(hl|cpp|fortran|tools|f90cstub)', library):
            _prepend(library, path)
    for library in _loaded_libraries('libnetcdf'):
        _prepend_to_netcdf(library, path)


def _loaded_libraries(name: str) -> list[str]:
    """The files in this process whose names begin like this."""
    try:
        maps = pathlib.Path('/proc/self/maps').read_text()
    except OSError:
        return []
    return sorted(set(re.findall(rf'(/\S*/{name}[^/\s]*\.so[^/\s]*)', maps)))


def _prepend(library: str, path: str) -> None:
    """Calls H5PLprepend, unless the path is there already. The GIL stays held: libhdf5 may not be safe in threads."""
    hdf5 = ctypes.PyDLL(library)
    if not hasattr(hdf5, 'H5PLprepend'):
        return
    size = ctypes.c_uint()
    text = ctypes.create_string_buffer(4096)
    hdf5.H5PLget.restype = ctypes.c_ssize_t
    hdf5.H5PLget.argtypes = [ctypes.c_uint, ctypes.c_char_p, ctypes.c_size_t]
    if hdf5.H5PLsize(ctypes.byref(size)) >= 0:
        for index in range(size.value):
            if hdf5.H5PLget(index, text, len(text)) >= 0 and text.value == os.fsencode(path):
                return
    hdf5.H5PLprepend(ctypes.c_char_p(os.fsencode(path)))


class _Folders(ctypes.Structure):
    """NCPluginList of netCDF-C."""

    _fields_ = [('count', ctypes.c_size_t), ('names', ctypes.POINTER(ctypes.c_char_p))]


def _prepend_to_netcdf(library: str, path: str) -> None:
    """For Zarr: netCDF-C reads HDF5_PLUGIN_PATH once, and since 4.9.3 has calls that change its folders."""
    netcdf = ctypes.PyDLL(library)
    if not hasattr(netcdf, 'nc_plugin_path_set') or not hasattr(netcdf, 'nc_plugin_path_get'):
        return
    there = _Folders()
    if netcdf.nc_plugin_path_get(ctypes.byref(there)) != 0:
        return
    names = [there.names[i] for i in range(there.count)]
    if os.fsencode(path) not in names:
        names.insert(0, os.fsencode(path))
        netcdf.nc_plugin_path_set(ctypes.byref(_Folders(len(names), (ctypes.c_char_p * len(names))(*names))))
    if hasattr(netcdf, 'ncaux_plugin_path_clear'):
        netcdf.ncaux_plugin_path_clear(ctypes.byref(there))


register()
