#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Codecs in the memory of a GPU, one after the other, on the same numbers: gpu_codecs.sh TDZ FOLDER LIBNVCOMP CORPUS. Prints
# what codecs_picture.py reads (docs/reports/h100-codecs.txt). tdz chooses its plan itself, with --fastest --gpu; nvCOMP is told
# the width of the numbers. FOLDER has the benchmarks (-DTDZ_BENCH=ON), CORPUS the files of docs/ratio.md, LIBNVCOMP is your copy.
set -euo pipefail
[ $# -eq 4 ] || { sed -n '3,5s/^# //p' "$0"; exit 2; }
tdz=$1 benches=$2 nvcomp=$3 corpus=$4
cut=$(mktemp) stored=$(mktemp)
trap 'rm -f "$cut" "$stored"' EXIT

# Width, tuple and order are those of the residuals on which nvCOMP's codecs are measured too.
while read -r file width tuple order; do
  head -c 4M "$corpus/$file" >"$cut"
  "$tdz" --fastest --gpu -c "$cut" >"$stored"
  echo "$file"
  "$benches/device_decode_bench" "$stored" "$cut" 1024 | sed "s|^$stored|  tdz --fastest --gpu|"
  "$benches/device_encode_bench" "$stored" "$cut" 1024 | sed "s|^$stored|  encode|"
  "$benches/nvcomp_bench" "$nvcomp" "$cut" "$width" "$tuple" "$order" 1024 | sed '/^\//d'
done <<'FILES'
dem_etopo5_i16x1.bin 2 1 1
audio_sf2_i16x1.bin 2 1 2
geoid_f32x1.bin 4 1 1
winds_f32x2.bin 4 2 1
ephem_f64x1.bin 8 1 1
mri_u8x1.bin 1 1 1
FILES
