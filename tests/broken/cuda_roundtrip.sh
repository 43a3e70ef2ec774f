#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# On a machine with a GPU: is every coding restored, in all combinations of CPU and GPU, and does the test find a GPU
# that codes or restores wrongly? cuda_roundtrip.sh TDZ TDZ_BROKEN SAMPLES
set -euo pipefail
tdz=$1 broken=$2 samples=$3

"$tdz" devices >/dev/null 2>&1 || { echo "no CUDA device"; exit 77; }
"$tdz" roundtrip --backends cpu,cuda "$samples"/*.bin
"$tdz" roundtrip --backends cuda,cpu --chunk 64KiB --orders 0-8 --tuples 1,3,16,64,1000 "$samples"/stars_u32x3.bin

grid=(--words 4 --tuples 2-3 --orders 4-5 --layouts planes "$samples"/stars_u32x3.bin)
report=$(mktemp)
trap 'rm -f "$report"' EXIT
for fault in forward inverse lost; do
  code=0
  TDZ_BROKEN=cuda-$fault "$broken" roundtrip --backends cpu,cuda "${grid[@]}" >"$report" || code=$?
  cat "$report"
  [ $code -eq 2 ] || { echo "$fault: exit code $code"; exit 1; }
  [ "$(grep -c '^FAILED' "$report")" -eq 1 ] || exit 1
  grep -q '^FAILED word 4, tuple 3, order 5, planes, level 1$' "$report"
done
