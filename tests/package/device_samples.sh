#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Do the samples for a GPU run: device_samples.sh TDZ DEVICE_INPUT DEVICE_OUTPUT FILE_OF_16_BIT_NUMBERS
# Exits with 77 where there is no GPU.
set -euo pipefail
tdz=$1 input=$2 output=$3 numbers=$4
"$tdz" devices || exit 77
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$output" "$scratch/wave.tdz"
"$tdz" verify "$scratch/wave.tdz"
"$tdz" compress -o "$scratch/numbers.tdz" "$numbers"
"$input" "$scratch/numbers.tdz"
