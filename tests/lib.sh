# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by tests/run.sh and tests/full.sh.
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
# shellcheck source=cmake/packages.sh
source cmake/packages.sh

passed=0 failed=0 skipped=0

# The number that ctest's report gives for the whole suite: attribute NAME.
counted() {
  grep -m 1 -oE "\b$1=\"[0-9]+\"" "$report" | tr -dc 0-9
}

# test_build PRESET [CTEST ARGUMENT]...: builds all of it, runs its tests, adds up what came out.
test_build() {
  local preset=$1 report=$PWD/build/$1/report.xml all bad skips
  shift
  rm -f "$report"
  if ! build "$preset" -DTDZ_TESTS=ON; then
    failed=$((failed + 1))
    return
  fi
  ctest --test-dir "build/$preset" --output-on-failure --no-tests=error -j "$(nproc)" --output-junit "$report" "$@" || true
  if [ ! -s "$report" ]; then
    failed=$((failed + 1))
    return
  fi
  all=$(counted tests) bad=$(counted failures) skips=$(($(counted skipped) + $(counted disabled)))
  passed=$((passed + all - bad - skips)) failed=$((failed + bad)) skipped=$((skipped + skips))
}

# The last line of the output; the exit status says the same.
summary() {
  echo "$passed passed, $failed failed, $skipped skipped"
  [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}
