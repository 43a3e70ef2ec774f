# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# One residual of one cell is wrong: that cell fails, at that value, and no other.
numbers 60000 >data
TDZ_BROKEN=cpu-forward tdz roundtrip -T1 --backends cpu --words 2,4 --tuples 2-3 --orders 4-5 data
