# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Of two backends it says which one codes or restores wrongly. The second is the CPU under the GPU's name.
export TDZ_STAND_IN=cuda
numbers 60000 >data
grid=(-q --words 4 --tuples 2-3 --orders 5 --layouts planes data)
tdz roundtrip "${grid[@]}" | tail -n 1
for mode in cuda-forward cuda-inverse cuda-lost cpu-forward cpu-inverse; do
  echo "$mode:"
  code=0
  TDZ_BROKEN=$mode tdz roundtrip "${grid[@]}" >report 2>/dev/null || code=$?
  [ $code -eq 2 ] || fail "exit code $code"
  grep -E 'FAILED|coded|restored by|bus' report
done
