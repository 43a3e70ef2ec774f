#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Does libtdz_cuda.so show one symbol, and hold all that it needs of tdz and of the CUDA runtime?
#     exports.sh LIBRARY
set -euo pipefail
library=$1

shown=$(nm -D --defined-only "$library" | awk '{ print $NF }')
[ "$shown" = tdz_cuda_library ] || { echo "it shows: $shown" | head -20; exit 1; }
wanted=$(nm -D --undefined-only "$library" | c++filt | grep -E 'tdz|cuda' || true)
[ -z "$wanted" ] || { echo "it needs: $wanted"; exit 1; }
others=$(readelf -d "$library" | grep NEEDED | grep -E 'tdz|cuda' || true)
[ -z "$others" ] || { echo "it needs: $others"; exit 1; }
