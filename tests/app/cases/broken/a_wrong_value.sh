# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
numbers 60000 >data
TDZ_BROKEN=cpu-inverse tdz roundtrip --backends cpu --words 4 --tuples 3 --orders 5 data
