# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# -v lists them, each coding once, at every level, with the bytes that compress would make of it.
numbers 60000 >data
tdz roundtrip -v --words 1,2 --tuples 1-2 --orders 0-1 --layouts interleaved,planes --levels 1,19 --backends cpu data
