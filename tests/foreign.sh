#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Does tdz work on big-endian machines (s390x), and with pointers of 32 bits (armhf)? Builds it without CUDA, with Debian's cross
# compilers. Runs the tests of format, kernels and codec, including the golden streams, under qemu-user. Then each of two programs
# restores what the other one wrote, and heals it by its parity. If both have the same zstd, they write the same bytes, with every
# step and with what the search chooses.
#     foreign.sh [ARCHITECTURE]...
# Libraries are unpacked below build/, not installed. Exits with 77 if packages are not available.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=cmake/packages.sh
source cmake/packages.sh
# shellcheck source=cmake/foreign.sh
source cmake/foreign.sh

skip() {
  echo "Skipped: $*"
  exit 77
}

build_foreign() {
  local arch=$1 folder=$2 triplet
  triplet=$(triplet_of "$arch")
  if ! { cmake -S . -B "$folder" -DCMAKE_BUILD_TYPE=Release -DTDZ_CUDA=OFF -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/foreign.cmake" \
    -DTDZ_FOREIGN_TRIPLET="$triplet" -DTDZ_FOREIGN_ROOT="$PWD/$folder/packages/root" \
    -DTDZ_FOREIGN_EMULATOR="$(emulator_of "$arch")" >"$folder/build.log" 2>&1 &&
    cmake --build "$folder" -j "$(nproc)" --target tdz_program tdz_formats_tests tdz_kernels_tests tdz_codec_tests \
      tdz_golden_tests tdz_golden_generate tdz_write_plan >>"$folder/build.log" 2>&1; }; then
    tail -n 30 "$folder/build.log"
    return 1
  fi
}

# exchange TDZ OTHER SCRATCH: each restores what the other wrote.
exchange() {
  local -n mine=$1 other=$2
  local scratch=$3 how
  for how in --fastest --type={u8x3,i16x2,f32x3,u64,f64x2}; do
    "${mine[@]}" -q -c "$how" "$scratch/data" >"$scratch/mine"
    "${other[@]}" -q -c "$how" "$scratch/data" >"$scratch/other"
    "${mine[@]}" -dc "$scratch/other" | cmp - "$scratch/data" || return
    "${other[@]}" -dc "$scratch/mine" | cmp - "$scratch/data" || return
  done
  "${mine[@]}" -q -c "$scratch/data" | "${other[@]}" -dc | cmp - "$scratch/data"
}

# heal TDZ OTHER SCRATCH: by the parity that the one wrote, the other heals a file.
heal() {
  local -n writer=$1 healer=$2
  local scratch=$3 length
  "${writer[@]}" -q -c --protect 10 --type=i16x2 "$scratch/data" >"$scratch/whole"
  cp "$scratch/whole" "$scratch/damaged"
  length=$(stat -c %s "$scratch/whole")
  dd if=/dev/zero of="$scratch/damaged" bs=1 seek=$((length / 3)) count=$((length / 20)) conv=notrunc status=none
  "${healer[@]}" recover -q -f --archive "$scratch/damaged" -o "$scratch/healed" && cmp "$scratch/healed" "$scratch/whole"
}

# same_bytes FOLDER EMULATOR...: the build in FOLDER writes what the native one writes.
same_bytes() {
  local folder=$1 native=build/release
  shift
  if [ "$("$@" "$folder/app/tdz" -V | grep zstd)" != "$($native/app/tdz -V | grep zstd)" ]; then
    echo "another zstd: bytes are not compared"
    return 0
  fi
  python3 tests/compat/same_bytes.py $native/app/tdz $native/tests/compat/tdz_write_plan \
    "$* $folder/app/tdz" "$* $folder/tests/compat/tdz_write_plan"
}

# check ARCHITECTURE: builds and tests it.
check() {
  local arch=$1 folder=build/foreign-$1 scratch
  mkdir -p "$folder"
  need "g++-$(triplet_of "$arch")"
  command -v "$(triplet_of "$arch")-g++" >/dev/null || skip "no cross compiler for $arch"
  fetch "$arch" "$folder/packages" "${packages_of_foreign[@]}" >"$folder/packages.log" 2>&1 || skip "no packages for $arch; see $folder/packages.log"
  echo "building for $arch"
  build_foreign "$arch" "$folder" || return
  ctest --test-dir "$folder" --output-on-failure --no-tests=error -R '^(formats|kernels|codec|codec\.searching|golden)$' || return
  local emulator=("$(emulator_of "$arch")" -L "/usr/$(triplet_of "$arch")")
  # shellcheck disable=SC2034  # by their names
  local foreign=("${emulator[@]}" "$folder/app/tdz") native=(build/release/app/tdz)
  scratch=$(mktemp -d)
  head -c 300001 >"$scratch/data" < <(seq 60000)
  exchange native foreign "$scratch" || return
  heal native foreign "$scratch" && heal foreign native "$scratch" || return
  rm -r "$scratch"
  same_bytes "$folder" "${emulator[@]}" || return
  echo "$arch: good"
}

command -v apt-get >/dev/null || skip "no apt-get"
need qemu-user
command -v qemu-s390x >/dev/null || skip "no qemu-user"
[ -x build/release/tests/compat/tdz_write_plan ] || build release
[ $# -gt 0 ] || set -- s390x armhf
for architecture in "$@"; do check "$architecture"; done
