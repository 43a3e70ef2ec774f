# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by tests/run.sh and tests/full.sh.
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
# shellcheck source=cmake/packages.sh
source cmake/packages.sh

passed=0 failed=0 skipped=0

# lines PATTERN: how many lines of ctest's report match.
lines() {
  grep -cE "^[[:blank:]]*($1)" "$report" || true
}

# test_build PRESET [-DCMAKE_OPTION]... [CTEST ARGUMENT]...: builds all of it, runs its tests, adds up the results.
test_build() {
  local preset=$1 report=$PWD/build/$1/report.xml options=() all good skips broken=0
  shift
  while [[ ${1-} == -D* ]]; do
    options+=("$1")
    shift
  done
  # In a full run the sanitizers too have every instruction set.
  [ -z "${TDZ_TEST_FULL-}" ] || options+=(-DTDZ_FEWER_TARGETS=OFF)
  rm -f "$report"
  build "$preset" -DTDZ_TESTS=ON "${options[@]}" &&
    ctest --test-dir "build/$preset" --output-on-failure --no-tests=error -j "$(nproc)" --output-junit "$report" "$@" ||
    broken=1
  if [ ! -s "$report" ]; then
    failed=$((failed + 1))
    return
  fi
  # In the report a test whose program is missing is "skipped" too; here it counts as failed.
  all=$(lines '<testcase ') good=$(lines '<testcase .* status="run"')
  skips=$(lines '<skipped message="SKIP_|<testcase .* status="disabled"')
  passed=$((passed + good)) skipped=$((skipped + skips)) failed=$((failed + all - good - skips))
  [ "$failed" -gt 0 ] || failed=$broken
}

# test_script COMMAND...: one more test; exit code 77 means Skipped.
test_script() {
  local code=0
  "$@" || code=$?
  case $code in
    0) passed=$((passed + 1)) ;;
    77) skipped=$((skipped + 1)) ;;
    *) failed=$((failed + 1)) ;;
  esac
}

# Prints the last line. The exit status says the same.
summary() {
  echo "$passed passed, $failed failed, $skipped skipped"
  [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}
