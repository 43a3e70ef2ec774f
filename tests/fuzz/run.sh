#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Fuzzes each target: run.sh SECONDS [TARGET...] for this time, run.sh --runs N [TARGET...] for this number of inputs.
# Without TARGET all targets. Useful inputs are kept in build/fuzz/corpus, inputs that make a target fail in
# build/fuzz/found. Each run adds its inputs and its processor time to build/fuzz/figures.txt; figures.sh adds them up.
# Exits with 77 if there is no clang with libFuzzer.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=cmake/packages.sh
source cmake/packages.sh

case ${1:-} in
  --runs) limit=-runs="${2:?how many}" && shift 2 ;;
  *[!0-9]* | '') echo "usage: tests/fuzz/run.sh (SECONDS | --runs N) [TARGET...]" >&2 && exit 1 ;;
  *) limit=-max_total_time="$1" && shift ;;
esac

echo 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }' |
  clang++ -x c++ -fsanitize=fuzzer - -o /dev/null 2>/dev/null || {
  echo "clang++ with libFuzzer is not installed"
  exit 77
}
build fuzz -- --target tdz_fuzz tdz_fuzz_seeds
here=build/fuzz
mkdir -p $here/corpus $here/found
$here/tests/fuzz/tdz_fuzz_seeds $here/seeds

mapfile -t common < <(sed -nE 's/^([a-z_]+) = ([0-9]+)$/-\1=\2/p' tests/fuzz/libfuzzer.options)
common+=(-print_final_stats=1 -verbosity=0)
[ $# -gt 0 ] || mapfile -t targets < <(TDZ_FUZZ='' $here/tests/fuzz/tdz_fuzz 2>&1 | tail -n +2 || true)
[ $# -eq 0 ] || targets=("$@")
TIMEFORMAT='%U %S'
broken=0
for target in "${targets[@]}"; do
  mkdir -p "$here/corpus/$target"
  log=$here/$target.log
  if { time TDZ_FUZZ=$target $here/tests/fuzz/tdz_fuzz "$limit" "${common[@]}" -artifact_prefix="$here/found/$target-" \
    "$here/corpus/$target" "$here/seeds/$target" tests/fuzz/regressions >"$log" 2>&1; } 2>"$log.time"; then
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    echo "$target: $runs runs"
    commit=$(git rev-parse --short HEAD 2>/dev/null || echo unknown)
    echo "$commit $target $runs runs $limit $(awk '{ print $1 + $2 }' "$log.time") s" >>$here/figures.txt
  else
    broken=$((broken + 1))
    echo "$target: broken"
    tail -n 40 "$log"
  fi
done
[ $broken -eq 0 ]
