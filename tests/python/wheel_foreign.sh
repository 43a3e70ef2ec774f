#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Does the wheel for 64-bit ARM work? Builds it by Debian's cross compiler, and runs it with Debian's Python for ARM under qemu-user: what the
# program of this processor wrote is restored by the program and by the module of the wheel, and the other way round; then tests of blocks.
#     wheel_foreign.sh [WHEEL]
# Needs build/release. Exits with 77 where packages cannot be had.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
root=$PWD/build/wheel-arm64/packages/root
native=$PWD/build/release/app/tdz
[ -x "$native" ] || { echo "Skipped: no $native" && exit 77; }

wheel=${1-}
if [ -z "$wheel" ]; then
  bash packaging/wheels.sh --for aarch64 "$place" || exit 77
  wheel=$(echo "$place"/*.whl)
fi
[ -n "$(command -v qemu-aarch64)" ] || { echo "Skipped: no qemu-aarch64" && exit 77; }
[ -x "$root/usr/bin/python3.11" ] || { echo "Skipped: no Python for ARM in $root" && exit 77; }
platform=${wheel##*-abi3-}
platforms=(--platform "${platform%.whl}" --platform manylinux_2_28_aarch64 --platform manylinux2014_aarch64)
python3 -m pip install -q --disable-pip-version-check --only-binary :all: --python-version 3.11 "${platforms[@]}" --root-user-action ignore --target "$place/site" \
  "$wheel" numpy pytest || exit 77
echo "$(basename "$wheel"): $(stat -c %s "$wheel") bytes"

arm=(qemu-aarch64 -L /usr/aarch64-linux-gnu -E "LD_LIBRARY_PATH=$root/usr/lib/aarch64-linux-gnu:$root/lib/aarch64-linux-gnu"
  -E "PYTHONHOME=$root/usr" -E "PYTHONPATH=$place/site" -E PYTHONDONTWRITEBYTECODE=1)
file -b "$place/site/tdz/tdz" | grep -q aarch64
"${arm[@]}" "$place/site/tdz/tdz" --version

cp samples/*.bin "$place/"
for file in "$place"/*.bin; do
  for how in --fast --fastest; do
    "$native" -q -c $how "$file" >"$place/here"
    "${arm[@]}" "$place/site/tdz/tdz" -dc "$place/here" | cmp - "$file"
    "${arm[@]}" "$place/site/tdz/tdz" -q -c $how "$file" >"$place/there"
    "$native" -dc "$place/there" | cmp - "$file"
  done
  "$native" -q -c "$file" >"$file.tdz"
done
"${arm[@]}" "$root/usr/bin/python3.11" - "$place" <<'END_OF_PYTHON'
import pathlib, platform, sys
import numpy, tdz
assert platform.machine() == "aarch64"
files = sorted(pathlib.Path(sys.argv[1]).glob("*.bin"))
assert len(files) > 3
for file in files:
    assert tdz.decompress(pathlib.Path(f"{file}.tdz").read_bytes()) == file.read_bytes()
    numpy.save(f"{file}.npy", numpy.frombuffer(file.read_bytes(), "<i2"))
    tdz.save(f"{file}.npy.tdz", numpy.load(f"{file}.npy"), effort="fast")
print(f"{len(files)} files, restored by the module")
END_OF_PYTHON
for file in "$place"/*.npy; do "$native" -dc "$file.tdz" | cmp - "$file"; done
"${arm[@]}" "$root/usr/bin/python3.11" -m pytest -q -p no:cacheprovider tests/python/test_blocks.py tests/python/test_arrays.py -k 'not program and not without_numpy' | tail -n 5
echo "aarch64: good"
