#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# From nothing on Debian 12: installs what is missing, tests a Release build, then runs the unit tests under the address
# and undefined-behaviour sanitizers. Ends in one line, "N passed, N failed, N skipped".
set -euo pipefail
# shellcheck source=tests/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

need "${packages_to_build[@]}" "${packages_to_test[@]}"
# CUDA code for one GPU: the one that is there, else 9.0. A few kernels are compiled for the older ones too
# (tests/cuda/older_gpus.cu). tests/full.sh builds for all.
if has_gpu; then gpu=native; else gpu=90; fi
test_build release -DTDZ_CUDA=AUTO -DCMAKE_CUDA_ARCHITECTURES="$gpu"
test_build asan --label-regex unit
summary
