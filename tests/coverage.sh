#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# How much of formats/ and codec/ do the tests run? Builds with --coverage into build/coverage, without CUDA, runs the unit tests,
# and prints by name what was not run, gcovr's table, and the sums of lines, functions and branches. Fails if the tests run fewer
# than 95 % of the lines; exits with 77 without gcovr. Branches of exceptions are not counted, because only std::bad_alloc is
# thrown there, nor branches of lines without code, which the compiler made up. Options are for gcovr's reports: --html-details FILE
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=cmake/packages.sh
source cmake/packages.sh

need "${packages_to_build[@]}" "${packages_to_test[@]}" "${packages_to_cover[@]}"
command -v gcovr >/dev/null || { echo "gcovr is not installed" && exit 77; }
build coverage
find build/coverage -name '*.gcda' -delete
ctest --test-dir build/coverage --output-on-failure --no-tests=error -j "$(nproc)" -L unit -E '^kernels'
gcovr --root . --object-directory build/coverage --filter formats/ --filter codec/ --exclude-throw-branches \
  --exclude-unreachable-branches --json build/coverage/coverage.json build/coverage
python3 tests/coverage_gaps.py build/coverage/coverage.json
gcovr --root . --add-tracefile build/coverage/coverage.json --print-summary --fail-under-line 95 "$@"
