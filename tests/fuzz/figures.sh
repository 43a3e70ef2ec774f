#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Adds up the log of tests/fuzz/run.sh: for each target its runs, inputs, and minutes of processor time. For an old line without a
# time its limit counts.
set -euo pipefail
awk '
  {
    seconds = $6
    if (NF < 7 && split($5, limit, "=") == 2 && limit[1] == "-max_total_time") seconds = limit[2]
    times[$2]++; inputs[$2] += $3; minutes[$2] += seconds / 60; all += $3
  }
  END {
    for (target in times) printf "%-13s %3d runs %10d inputs %6.1f minutes\n", target, times[target], inputs[target], minutes[target]
    printf "%d inputs\n", all
  }' "$(dirname "${BASH_SOURCE[0]}")/../../build/fuzz/figures.txt" | sort
