#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Does the package for browsers and Node decode what tdz writes? run.sh PROGRAM. Builds the package and runs its tests in Node.
# With TDZ_TEST_FULL=1 it takes all cases, and a page in Chromium too, if there is one. 77 (Skipped) where something is missing.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
TDZ_PROGRAM=$(realpath "$1")
export TDZ_PROGRAM TDZ_PACKAGE=$root/build/wasm/package

for tool in node xxhsum; do
  command -v $tool >/dev/null || { echo "Skipped: no $tool here"; exit 77; }
done
code=0
bash "$root/bindings/wasm/build.sh" "$TDZ_PACKAGE" || code=$?
if [ "$code" -ne 0 ]; then
  [ "$code" -ne 77 ] || echo "Skipped: the package for browsers is not built"
  exit "$code"
fi

# A page loads it all, so its length is a promise of README.md.
length=$(cat "$TDZ_PACKAGE"/{tdz.wasm,index.js} | gzip -9 | wc -c)
echo "tdz.wasm and index.js: $length bytes, gzipped"
[ "$length" -le 150000 ] || { echo "more than 150000"; exit 1; }

node --test "$here"/*.test.mjs
[ -n "${TDZ_TEST_FULL-}" ] || exit 0
bash "$here/page.sh" "$TDZ_PROGRAM" || [ $? -eq 77 ]
