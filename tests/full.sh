#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/run.sh, the thread sanitizer over units and command line, the length of functions, foreign machines, coverage,
# fuzzing, and everything slow. Ends in the same line.
set -euo pipefail
# shellcheck source=tests/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

export TDZ_TEST_FULL=1
need "${packages_to_build[@]}" "${packages_to_test[@]}" "${packages_to_fuzz[@]}" "${packages_to_lint[@]}"
test_build release -DTDZ_CUDA=AUTO -DTDZ_BENCH=ON -DCMAKE_CUDA_ARCHITECTURES='75-real;80-real;90'
test_build asan --label-regex unit
# Left out are the cases that count the program's memory, calls or moments: the sanitizer adds its own.
TDZ_TEST_SANITIZED=1 test_build tsan --label-regex 'unit|cli' --exclude-regex '^cli\.(limits|full_disk|transaction|bad_input)$'
test_script bash tests/function_lengths.sh
test_script bash tests/coverage.sh
test_script bash tests/foreign.sh
test_script bash tests/fuzz/run.sh "${TDZ_FUZZ_SECONDS:-60}"
summary
