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

# test_build PRESET [-DCMAKE_OPTION]... [--target TARGET] [CTEST ARGUMENT]...: builds all of it, or TARGET, runs its tests,
# adds up the results.
test_build() {
  local preset=$1 report=$PWD/build/$1/report.xml options=() targets=() all good skips broken=0
  shift
  while [[ ${1-} == -D* ]]; do
    options+=("$1")
    shift
  done
  if [ "${1-}" = --target ]; then
    targets=(-- --target "$2")
    shift 2
  fi
  # In a full run the sanitizers too have every instruction set.
  [ -z "${TDZ_TEST_FULL-}" ] || options+=(-DTDZ_FEWER_TARGETS=OFF)
  rm -f "$report"
  build "$preset" -DTDZ_TESTS=ON "${options[@]}" "${targets[@]}" &&
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

# run_python PRESET [PYTEST ARGUMENT]...: runs the tests in Python, with the package that this build has made. Exit code 77 where
# there are no headers of Python, or no packages; otherwise that of pytest.
run_python() {
  local preset=$1 report=$PWD/build/$1/python.xml
  shift
  rm -f "$report"
  if ! has_python_headers || ! python_environment; then
    echo "Skipped: the tests in Python. They need Python's headers, and packages that pip could not install (build/python.log)"
    return 77
  fi
  PYTHONPATH=$PWD/build/$preset/bindings/python PYTHONDONTWRITEBYTECODE=1 TDZ_BUILD=build/$preset build/python/bin/python \
    -m pytest -q -p no:cacheprovider --junit-xml="$report" "$@" tests/python
}

# start_python PRESET [PYTEST ARGUMENT]...: starts these tests beside what comes next, because they run on one core.
start_python() {
  run_python "$@" >"build/$1/python.txt" 2>&1 </dev/null &
  python_process=$!
}

# finish_python PRESET: waits for them, prints what they said, adds up the results. Without packages that is one Skipped.
finish_python() {
  local report=$PWD/build/$1/python.xml code=0 broken bad all skips
  wait "$python_process" || code=$?
  cat "build/$1/python.txt"
  if [ "$code" -eq 77 ]; then
    skipped=$((skipped + 1))
    return
  fi
  broken=$((code != 0))
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
