# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by samples/demo.sh and tests/*.sh. The only place that names Debian packages; CUDA is not one of them.
# shellcheck disable=SC2034  # used by the scripts that source this file

packages_to_build=(g++ cmake ninja-build pkgconf libzstd-dev libxxhash-dev libhwy-dev libisal-dev libcli11-dev libspdlog-dev
  nlohmann-json3-dev libseccomp-dev)
packages_to_compare=(zstd)
packages_to_test=(doctest-dev zstd xxhash python3 python3-numpy python3-xxhash python3-zstandard file strace
  python3-dev python3-venv hdf5-tools netcdf-bin clang-format)
packages_to_fuzz=(clang libclang-rt-dev)
# In the image of OSS-Fuzz, which has a clang of its own.
packages_of_fuzz_image=("${packages_to_build[@]}" doctest-dev)
packages_to_cover=(gcovr)
packages_to_lint=(clang-tidy)
# For bindings/wasm: the compiler and what runs its result. tests/full.sh installs them; tests/run.sh takes them where they are.
packages_of_browsers=(emscripten nodejs ninja-build dpkg-dev chromium node-typescript)
# For tests/foreign.sh and packaging/wheels.sh --for: packages of another architecture, unpacked but not installed.
packages_of_foreign=(libzstd-dev libzstd1 libxxhash-dev libxxhash0 libhwy-dev libhwy1 libisal-dev libisal2 libspdlog-dev libspdlog1.10 libfmt-dev
  libfmt9 libcli11-dev nlohmann-json3-dev libseccomp-dev libseccomp2 doctest-dev)
# For packaging/wheels.sh --for: also Python's headers, and a Python to try the wheel.
packages_of_foreign_python=(libpython3.11-dev python3.11-minimal libpython3.11-minimal libpython3.11-stdlib libexpat1 zlib1g libffi8
  libssl3 liblzma5 libbz2-1.0 libuuid1)

# A tool may also be installed without its package.
is_there() {
  command -v "$1" >/dev/null || dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null | grep -qx installed
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

# need PACKAGE...: installs missing packages. If that is not possible, prints a message and continues.
need() {
  local package missing=()
  for package in "$@"; do
    is_there "$package" || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  if ! command -v apt-get >/dev/null; then
    echo "These Debian packages, or what stands for them here, are missing: ${missing[*]}" >&2
  elif [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
    echo "Missing, and neither root nor sudo to install them: apt-get install ${missing[*]}" >&2
  else
    echo "installing ${missing[*]}"
    as_root apt-get -qq update &&
      as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y install --no-install-recommends "${missing[@]}" >/dev/null ||
      echo "Could not install all of: ${missing[*]}" >&2
  fi
}

# Whether there is an NVIDIA GPU with a driver.
has_gpu() {
  command -v nvidia-smi >/dev/null && nvidia-smi -L 2>/dev/null | grep '^GPU ' >/dev/null
}

# build PRESET [CMAKE ARGUMENT]... [-- BUILD ARGUMENT]...: configures and builds in build/PRESET. Shows its output only
# if it fails.
build() {
  local preset=$1 configure=() log=build/$1/build.log
  shift
  while [ $# -gt 0 ] && [ "$1" != -- ]; do
    configure+=("$1")
    shift
  done
  [ $# -eq 0 ] || shift
  if [ ! -e "build/$preset/CMakeCache.txt" ] && command -v ninja >/dev/null; then configure+=(-G Ninja); fi
  echo "building $preset, this takes minutes; the log is $log"
  cmake --preset "$preset" "${configure[@]}" >/dev/null || return
  if ! cmake --build "build/$preset" -j "$(nproc)" "$@" >"$log" 2>&1; then
    sed -n '/^FAILED:/,$p' "$log" | head -n 100
    tail -n 2 "$log"
    return 1
  fi
}
