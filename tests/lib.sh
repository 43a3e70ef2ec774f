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

# Whether Python modules can be compiled here.
has_python_headers() {
  python3 -c 'import os, sys, sysconfig; sys.exit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))'
}

# A virtual environment in build/python with the packages that the tests in Python need. Kept for the next time.
python_environment() {
  local wanted=tests/python/requirements.txt had=build/python/requirements.txt
  [ -z "${TDZ_TEST_FULL-}" ] || wanted=tests/python/requirements-slow.txt
  if cmp -s "$wanted" "$had"; then return; fi
  echo "installing Python packages in build/python; the log is build/python.log"
  { rm -rf build/python && python3 -m venv build/python &&
    build/python/bin/python -m pip install --disable-pip-version-check --prefer-binary -r "$wanted"; } >build/python.log 2>&1 &&
    cp "$wanted" "$had"
}

# attribute NAME: of the test suite in pytest's report.
attribute() {
  sed -nE "s/.*<testsuite [^>]* $1=\"([0-9]+)\".*/\1/p" "$report"
}

# test_python PRESET [PYTEST ARGUMENT]...: the tests in Python, with the package that this build has made. One Skipped
# where there are no headers of Python, or no packages.
test_python() {
  local preset=$1 report=$PWD/build/$1/python.xml broken=0 bad all skips
  shift
  if ! has_python_headers || ! python_environment; then
    echo "Skipped: the tests in Python. They need Python's headers, and packages that pip could not install (build/python.log)"
    skipped=$((skipped + 1))
    return
  fi
  rm -f "$report"
  PYTHONPATH=$PWD/build/$preset/bindings/python PYTHONDONTWRITEBYTECODE=1 TDZ_BUILD=build/$preset build/python/bin/python \
    -m pytest -q -p no:cacheprovider --junit-xml="$report" "$@" tests/python || broken=1
  if [ ! -s "$report" ]; then
    failed=$((failed + 1))
    return
  fi
  all=$(attribute tests) skips=$(attribute skipped) bad=$(($(attribute errors) + $(attribute failures)))
  passed=$((passed + all - skips - bad)) skipped=$((skipped + skips)) failed=$((failed + bad))
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
