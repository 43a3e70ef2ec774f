#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Is any function longer than .clang-tidy allows? function_lengths.sh [BUILD]: a build without precompiled headers; the default is
# build/tsan.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

command -v run-clang-tidy >/dev/null || exit 77
# Version 14 has no -warnings-as-errors, and prints the command of every file.
log=build/function_lengths.log
run-clang-tidy -quiet -j "$(nproc)" -p "${1:-build/tsan}" -checks='-*,readability-function-size' \
  "$PWD/(formats|kernels|codec|app|samples)/.*" >"$log" 2>&1 || { tail -n 30 "$log" && exit 1; }
if grep -F 'exceeds recommended size' "$log"; then exit 1; fi
echo "$(grep -c '^clang-tidy' "$log") files, no function is too long"
