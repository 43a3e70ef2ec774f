#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds a wheel, which needs no compiler and no library of the system but those of C and C++:
#     wheels.sh [--for aarch64] FOLDER [ARGUMENT OF pip wheel]...
# It holds the module, the program, the HDF5 filter, and the libraries that they need. How new a user's glibc must be is
# part of its name, and depends on the compiler of this machine. It needs what `pip install .` needs.
# --for: not for this processor, but by Debian's cross compiler, with Debian's libraries, unpacked below build/. Only on Debian 12.
set -euo pipefail
processor=''
if [ "${1-}" = --for ]; then
  processor=$2
  shift 2
fi
folder=$(realpath -m "$1")
shift
cd "$(dirname "${BASH_SOURCE[0]}")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# cross ARCHITECTURE: gets what a build for it needs; sets `options` of pip wheel, and what repair_wheel.sh takes.
cross() {
  local triplet packages=$PWD/build/wheel-$1/packages
  # shellcheck source=cmake/packages.sh
  source cmake/packages.sh
  # shellcheck source=cmake/foreign.sh
  source cmake/foreign.sh
  triplet=$(triplet_of "$1")
  need "g++-$triplet" qemu-user
  fetch "$1" "$packages" "${packages_of_foreign[@]}" "${packages_of_foreign_python[@]}" >"$work/packages.log" 2>&1 || {
    echo "the packages of $1 could not be fetched" && tail -n 5 "$work/packages.log"
    exit 1
  }
  export TDZ_FOREIGN_ROOT=$packages/root
  export AUDITWHEEL_LD_LIBRARY_PATH=$TDZ_FOREIGN_ROOT/usr/lib/$triplet
  options=(
    "-Ccmake.define.CMAKE_TOOLCHAIN_FILE=$PWD/cmake/foreign.cmake"
    "-Ccmake.define.TDZ_FOREIGN_TRIPLET=$triplet"
    "-Ccmake.define.TDZ_FOREIGN_ROOT=$TDZ_FOREIGN_ROOT"
    "-Ccmake.define.TDZ_FOREIGN_EMULATOR=$(emulator_of "$1")"
    "-Ccmake.define.Python3_INCLUDE_DIR=$TDZ_FOREIGN_ROOT/usr/include/python3.11")
}

options=()
case $processor in
  '') ;;
  aarch64) cross arm64 ;;
  *) echo "there is no way to build for $processor here" >&2 && exit 2 ;;
esac
python3 -m venv "$work/env"
CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL-$(nproc)} "$work/env/bin/pip" wheel -q --disable-pip-version-check --no-deps -w "$work/wheel" "${options[@]}" "$@" .
if [ -n "$processor" ]; then # scikit-build-core names it after this machine
  "$work/env/bin/pip" install -q --disable-pip-version-check wheel
  "$work/env/bin/wheel" tags --remove --platform-tag "linux_$processor" "$work"/wheel/*.whl >/dev/null
fi
bash packaging/repair_wheel.sh "$work"/wheel/*.whl "$folder"
