#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# On a fresh Debian 12: builds tdz, compresses every sample in this folder, shows its contents, restores it, compares
# every byte, and prints one table. Fails if a comparison fails. samples/README.md describes the samples.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=cmake/packages.sh
source cmake/packages.sh

speed_bytes=$((32 << 20)) # the samples are too small to measure: they are repeated to this length

need "${packages_to_build[@]}" "${packages_to_compare[@]}"
# Only what this machine can run: CUDA code, which takes most of the build time, for its GPU, and without a GPU not at all;
# and with AVX2 no CPU kernels for older instruction sets, except the fallback.
first_time=()
if [ ! -e build/release/CMakeCache.txt ]; then
  first_time=(-DTDZ_TESTS=OFF)
  if has_gpu; then first_time+=(-DCMAKE_CUDA_ARCHITECTURES=native); else first_time+=(-DTDZ_CUDA=OFF); fi
  if grep -qw avx2 /proc/cpuinfo; then first_time+=(-DTDZ_FEWER_TARGETS=ON); fi
fi
build release "${first_time[@]}" -- --target tdz_program
tdz=$PWD/build/release/app/tdz

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# megabytes_a_second FILE COMMAND...: how fast a command that reads or makes FILE runs to /dev/null.
megabytes_a_second() {
  local bytes start
  bytes=$(stat -c %s "$1") start=${EPOCHREALTIME/[.,]/}
  shift
  "$@" >/dev/null
  echo $((bytes / (${EPOCHREALTIME/[.,]/} - start + 1)))
}

ratio() { # ORIGINAL STORED
  awk -v original="$1" -v stored="$2" 'BEGIN { printf "%.3f", original / stored }'
}

# speeds FILE: MB/s of compressing and restoring, for the repeated file.
speeds() {
  local file=$1 long=$scratch/long in out
  for ((i = 0; i < speed_bytes; i += $(stat -c %s "$file"))); do cat "$file"; done >"$long"
  "$tdz" compress -o "$long.tdz" "$long"
  in=$(megabytes_a_second "$long" "$tdz" compress -c "$long")
  out=$(megabytes_a_second "$long" "$tdz" decompress -c "$long.tdz")
  rm "$long" "$long.tdz"
  echo "$in $out"
}

# show FILE: compresses and restores one sample, and prints its row of the table. tdz finds the type of the numbers
# itself.
show() {
  local file=$1 stored=$scratch/${1##*/}.tdz verdict=equal original zstd_size size in out
  "$tdz" compress -o "$stored" "$file"
  "$tdz" decompress -o "$scratch/restored" "$stored"
  cmp "$file" "$scratch/restored" || verdict=DIFFERS
  rm "$scratch/restored"
  original=$(stat -c %s "$file") zstd_size=$(zstd -3 -c "$file" | wc -c) size=$(stat -c %s "$stored")
  read -r in out < <(speeds "$file")
  row "${file##*/}" "$original" "$zstd_size" "$size" "$(ratio "$original" "$zstd_size")" "$(ratio "$original" "$size")" \
    "$in" "$out" "$verdict"
}

row() {
  printf '%-17s %9s %9s %9s %7s %7s %6s %6s  %s\n' "$@"
}

for sample in samples/*.bin; do show "$sample"; done >"$scratch/table"

(cd "$scratch" && "$tdz" info ./*.tdz)
echo
row file original 'zstd -3' tdz zstd tdz MB/s MB/s restored
row '' bytes bytes bytes ratio ratio in out ''
cat "$scratch/table"
echo
echo "MB/s: $(nproc) threads, every sample repeated to $((speed_bytes >> 20)) MiB"
! grep -q DIFFERS "$scratch/table"
