# SPDX-License-Identifier: Apache-2.0
"""A netCDF file through xarray into Zarr with tdz, and back."""
import os
import pathlib

import numpy
import pytest

zarr = pytest.importorskip("zarr", "3.1")
xarray = pytest.importorskip("xarray")
import tdz.numcodecs  # noqa: E402
import tdz.zarr  # noqa: E402

SAMPLES = pathlib.Path(__file__).parents[2] / "samples"


@pytest.fixture
def netcdf(tmp_path):
    """Winds over the sea and the relief, with coordinates, attributes, packed and missing values, as such files have them."""
    netcdf4 = pytest.importorskip("netCDF4")
    winds = numpy.fromfile(SAMPLES / "winds_f32x2.bin", "<f4").reshape(6, 73, 144, 2)
    relief = numpy.fromfile(SAMPLES / "relief_i16x1.bin", "<i2").reshape(60, 4320)
    path = tmp_path / "winds.nc"
    with netcdf4.Dataset(path, "w") as file:
        file.title = "FNOC winds"
        for name, length in (("time", None), ("lat", 73), ("lon", 144), ("y", 60), ("x", 4320)):
            file.createDimension(name, length)
        time = file.createVariable("time", "f8", "time")
        time.units = "hours since 1982-01-01"
        time[:] = 730.5 * numpy.arange(6)
        file.createVariable("lat", "f4", "lat")[:] = numpy.linspace(-90, 90, 73)
        file.createVariable("lon", "f4", "lon")[:] = numpy.arange(144) * 2.5
        for i, name in enumerate(("uwnd", "vwnd")):
            wind = file.createVariable(name, "f4", ("time", "lat", "lon"), zlib=True, fill_value=-99.9)
            wind.units = "m/s"
            wind[:] = winds[..., i]
        heights = file.createVariable("relief", "i2", ("y", "x"), fill_value=-32768)
        heights.scale_factor = 0.5
        heights.set_auto_maskandscale(False)
        heights[:] = relief
    return path


@pytest.mark.filterwarnings("ignore")
def test_a_netcdf_file_comes_back(netcdf, tmp_path):
    with xarray.open_dataset(netcdf) as dataset:
        encoding = {name: {"compressors": [tdz.zarr.Tdz(order=1, rows=True)]} for name in ("uwnd", "vwnd", "relief")}
        dataset.to_zarr(tmp_path / "winds.zarr", zarr_format=3, encoding=encoding)
        with xarray.open_zarr(tmp_path / "winds.zarr") as again:
            xarray.testing.assert_identical(dataset.load(), again.load())
    for name in encoding:
        assert zarr.open_array(tmp_path / "winds.zarr" / name).compressors[0].to_dict()["name"] == "tdz"


def files_of_others():
    """suites_of_others.sh names a folder of netCDF files."""
    folder = os.environ.get("TDZ_NETCDF")
    return sorted(path for path in pathlib.Path(folder).rglob("*") if path.suffix in (".cdf", ".nc")) if folder else []


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", files_of_others(), ids=lambda path: path.stem)
@pytest.mark.parametrize("version", [2, 3])
def test_files_of_others_come_back(path, version, tmp_path):
    pytest.importorskip("netCDF4")
    compressor = {2: tdz.numcodecs.Tdz, 3: tdz.zarr.Tdz}[version]()
    with xarray.open_dataset(path, decode_times=False) as dataset:
        encoding = {name: {"compressors": [compressor]} for name in dataset.variables}
        dataset.to_zarr(tmp_path / "copy.zarr", zarr_format=version, encoding=encoding)
        with xarray.open_zarr(tmp_path / "copy.zarr", decode_times=False) as again:
            assert len(again.variables) > 1
            xarray.testing.assert_identical(dataset.load(), again.load())
