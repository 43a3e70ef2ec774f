# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
numbers 300000 >data
grid=(--backends cpu --words 2 --tuples 2 --orders 1 --layouts planes)
{ head -c 100000 data; sleep 0.1; tail -c 200000 data; } | tdz roundtrip "${grid[@]}" --chunk 64KiB
tdz roundtrip "${grid[@]}" - <data | head -n 1
