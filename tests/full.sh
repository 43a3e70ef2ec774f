#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# All tests of tests/run.sh, with CUDA code for all GPUs, and the slow ones: the thread sanitizer for unit and command
# line tests, the address sanitizer for the Python module, the length of functions, a build
# without the calls of Linux, other processors, Debian packages, coverage,
# fuzzing. The last line is the same.
set -euo pipefail
# shellcheck source=tests/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

export TDZ_TEST_FULL=1
need "${packages_to_build[@]}" "${packages_to_test[@]}" "${packages_to_fuzz[@]}" "${packages_to_lint[@]}" "${packages_of_browsers[@]}"
if has_python_headers; then python=ON; else python=OFF; fi
test_build release -DTDZ_PYTHON="$python" -DTDZ_CUDA=AUTO -DTDZ_BENCH=ON -DCMAKE_CUDA_ARCHITECTURES='75-real;80-real;90'
start_python release
test_script bash tests/wasm/run.sh build/release/app/tdz
finish_python release
test_build asan --target tdz_unit_tests --label-regex unit
# Without the cases that measure memory, calls or times of the program: the sanitizer changes them.
TDZ_TEST_SANITIZED=1 test_build tsan --label-regex 'unit|cli' --exclude-regex '^cli\.(limits|full_disk|transaction|bad_input)$'
# What other systems with POSIX would run, macOS for one; and whether it compiles for macOS.
test_build portable --label-regex 'unit|cli'
test_script bash tests/macos.sh
test_script bash tests/python/wheel.sh
test_script bash tests/python/wheel_foreign.sh
test_script bash tests/python/sanitized.sh
test_script bash tests/function_lengths.sh
test_script bash tests/coverage.sh
test_script bash tests/foreign.sh
test_script bash tests/debian.sh
test_script bash tests/samples_made_again.sh
test_script bash tests/packaging.sh
test_script bash tests/fuzz/run.sh "${TDZ_FUZZ_SECONDS:-60}"
summary
