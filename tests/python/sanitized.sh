#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the tests in Python with the module and the HDF5 plugin under the address and undefined-behaviour sanitizers:
#     sanitized.sh [PYTEST ARGUMENT]...
# Python is not built with them. So their library is loaded before it, and leaks are not looked for. Python takes all memory from
# malloc, so that accesses beside its objects are seen. Exits with 77 without Python's headers or the packages.
set -euo pipefail
# shellcheck source=tests/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"

if ! has_python_headers || ! python_environment; then
  echo "no headers of Python, or no packages (build/python.log)"
  exit 77
fi
[ -x build/release/app/tdz ] || build release -- --target tdz_program
build asan -DTDZ_PYTHON=ON -- --target tdz_python tdz_python_package tdz_hdf5

# Left out: tests that limit the address space, which the sanitizer uses for itself; and programs of HDF5, in which libp11-kit waits
# for ever when they end with the sanitizer loaded.
left_out=()
for name in errors.py::test_a_bomb_needs_its_limit errors.py::test_too_little_memory_is_a_limit_error \
  errors.py::test_without_a_limit_the_free_memory_is_the_limit \
  hdf5.py::test_h5repack hdf5.py::test_h5dump hdf5.py::test_nccopy; do
  left_out+=(--deselect "tests/python/test_$name")
done
# The sanitizer looks for the function that throws when it is loaded, so the library of C++ is there too.
LD_PRELOAD="$(g++ -print-file-name=libasan.so) $(g++ -print-file-name=libstdc++.so)" PYTHONMALLOC=malloc \
  ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=1 UBSAN_OPTIONS=print_stacktrace=1 \
  PYTHONPATH=$PWD/build/asan/bindings/python PYTHONDONTWRITEBYTECODE=1 \
  build/python/bin/python -m pytest -q -p no:cacheprovider "${left_out[@]}" "$@" tests/python
