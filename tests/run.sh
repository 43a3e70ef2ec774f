#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# On a fresh Debian 12: installs missing packages, tests a Release build, then runs the unit tests under the address and
# undefined-behaviour sanitizers, and meanwhile the tests in Python. The release has every instruction set of the CPU and all
# cases. The sanitizers have AVX2 and the fallback, and a quarter of the rounds of long tests by chance (tests/rounds.hpp); they
# leave out app/ and its unit tests, and cases with the mark `law`. tests/full.sh leaves out nothing. The last line is
# "N passed, N failed, N skipped".
set -euo pipefail
# shellcheck source=tests/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

need "${packages_to_build[@]}" "${packages_to_test[@]}"
# CUDA code is compiled for the GPU of this machine. If there is none, nothing runs it: then it is compiled as far as PTX, with
# hardly an optimization, which takes a third of the time. A few kernels are compiled for older GPUs too
# (tests/cuda/older_gpus.cu). tests/full.sh compiles for all.
if has_gpu; then
  cuda=(-DCMAKE_CUDA_ARCHITECTURES=native)
else
  cuda=(-DCMAKE_CUDA_ARCHITECTURES=90-virtual -DCMAKE_CUDA_FLAGS='-Ofc max' -DCMAKE_CUDA_FLAGS_RELEASE='-O0 -DNDEBUG')
fi
if has_python_headers; then python=ON; else python=OFF; fi
test_build release -DTDZ_FEWER_TARGETS=OFF -DTDZ_PYTHON="$python" -DTDZ_CUDA=AUTO "${cuda[@]}"
start_python release
test_script bash tests/wasm/run.sh build/release/app/tdz
test_build asan --target tdz_unit_tests --label-regex unit
finish_python release
summary
