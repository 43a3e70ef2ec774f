#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Do the models of format 1.1 agree with one another and with the note that describes it?
#     run.sh FORMAT.md [PYTHON [SEED]]        exits 77 where zstd or a module of Python is missing; TDZ_TEST_FULL=1: longer
set -euo pipefail
format=$(realpath "$1") python=${2:-python3} seed=${3:-1}
folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
seconds=20
[ "${TDZ_TEST_FULL:-0}" = 0 ] || seconds=120

has_modules() { "$1" -c 'import numpy, xxhash, zstandard' 2>/dev/null; }
has_modules "$python" || python=/usr/bin/python3
command -v zstd >/dev/null || { echo "Skipped: no zstd program"; exit 77; }
has_modules "$python" || { echo "Skipped: Python has no numpy, xxhash or zstandard"; exit 77; }

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
"$python" -B "$folder/check.py" "$format" "$seconds" "$seed"
"$python" -B "$folder/../formats/stream/vectors.py" >vectors.txt
cmp vectors.txt "$folder/../formats/stream/vectors.txt"
