#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Is any function longer than .clang-tidy allows? function_lengths.sh [BUILD]: a build without precompiled headers; the default is
# build/tsan.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

command -v run-clang-tidy >/dev/null || exit 77
run-clang-tidy -quiet -p "${1:-build/tsan}" -checks='-*,readability-function-size' -warnings-as-errors='*' \
  "$PWD/(formats|kernels|codec|app|samples)/.*"
