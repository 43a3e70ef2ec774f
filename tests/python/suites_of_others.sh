#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Do the suites of zarr, xarray and h5py pass where they name no compressor and get tdz? And the tests of this folder that take
# checks, strategies and files of others? All with the newest packages of PyPI for the Python that PYTHON names, in a fresh environment:
#     [PYTHON=python3.13] suites_of_others.sh [WHEEL]
# Each suite runs without tdz too: what fails there is no matter of tdz, and what fails with tdz alone is printed. docs/ecosystem.md says
# why each does. It takes a quarter of an hour or more; exits with 77 where pip cannot reach a registry. It is no test of tests/full.sh: new versions
# of others come without asking.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
here=$PWD/tests/python
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

wheel=${1-}
if [ -z "$wheel" ]; then
  bash packaging/wheels.sh "$work/wheel"
  wheel=$(echo "$work"/wheel/*.whl)
fi
"${PYTHON:-python3}" -m venv "$work/env"
python=$work/env/bin/python
"$python" -m pip install -q --disable-pip-version-check --upgrade "$wheel" numpy numcodecs zarr xarray h5py netCDF4 fsspec dask ml_dtypes \
  pytest pytest-asyncio pytest-benchmark pytest-mpi hypothesis || exit 77
"$python" -m pip list --disable-pip-version-check | grep -Ei '^(tdz|numpy|numcodecs|zarr|xarray|h5py|netcdf4|pytest|hypothesis) '
installed=$("$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')

# source_of NAME: unpacks the source of the version that is installed, for wheels without tests; says its folder.
source_of() {
  local name
  name=$1-$("$python" -c "import $1; print($1.__version__)")
  "$python" -m pip download -q --disable-pip-version-check --no-binary "$1" --no-deps -d "$work" "${name/-/==}" >&2 || return
  tar -xf "$work/$name.tar.gz" -C "$work"
  echo "$work/$name"
}

zarr=$(source_of zarr) || exit 77
if [ ! -e "$installed/numcodecs/tests" ]; then # numcodecs 0.17
  numcodecs=$(source_of numcodecs) || exit 77
  cp -r "$numcodecs/tests" "$installed/numcodecs/tests"
fi

# results FILE: failed tests, one a line.
results() {
  grep -E '^(FAILED|ERROR) ' "$1" | sed 's/ - .*//' | sort || true
}

# suite NAME FOLDER ARGUMENT...: runs pytest in FOLDER, without tdz and with it.
suite() {
  local name=$1 folder=$2 how
  shift 2
  echo "== $name"
  for how in without with; do
    local more=()
    [ $how = without ] || more=(-p tdz_everywhere)
    (cd "$folder" && PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$here "$python" -m pytest -q -p no:cacheprovider "${more[@]}" "$@") >"$work/$how.log" 2>&1 || true
    echo "$how tdz: $(tail -n 1 "$work/$how.log")"
    results "$work/$how.log" >"$work/$how.failed"
  done
  grep '^tdz [0-9]' "$work/with.log"
  echo "failures with tdz alone: $(comm -13 "$work"/{without,with}.failed | wc -l)"
  comm -13 "$work"/{without,with}.failed
  grep -E '^E  ' "$work/with.log" | sort | uniq -c | sort -rn | head -n 20 || true
}

mkdir "$work/empty" "$work/netcdf"
if (cd "$work/netcdf" && apt-get -qq download ferret-datasets && dpkg -x ./*.deb . && rm ./*.deb) 2>/dev/null; then
  export TDZ_NETCDF=$work/netcdf
fi
echo "== tests/python: numcodecs.tests.common, zarr.testing, netCDF files through xarray"
(cd "$here" && PYTHONDONTWRITEBYTECODE=1 "$python" -m pytest -q -p no:cacheprovider -p no:asyncio test_numcodecs.py test_zarr_properties.py test_xarray.py) | tail -n 12 || true
suite "zarr: test_properties.py, test_indexing.py" "$zarr" tests/test_properties.py tests/test_indexing.py
suite "xarray: test_backends.py, Zarr" "$work/empty" -p no:warnings --rootdir . "$installed/xarray/tests/test_backends.py" -k Zarr
suite "h5py" "$work/empty" -p no:warnings --rootdir . "$installed/h5py/tests"
