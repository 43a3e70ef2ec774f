# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What the steps are, not what the type is called: u16x2 and --word 2 --tuple 2 give the same ones.
numbers 100000 >data
steps() { tdz -c "$@" data >packed && tdz info --chunks packed | tail -n 1 | sed 's/.*words/words/'; }
parts="--word 2 --tuple 2 --order 1 --zigzag on --layout tuple-planes"
# shellcheck disable=SC2086
[ "$(steps --type u16x2)" = "$(steps $parts)" ] || fail "parts"
[ "$(steps --type u16x2)" = "$(steps --word 2 --tuple 2)" ] || fail "word and tuple alone"
[ "$(steps --type u16x2)" = "$(steps --type u16 --tuple 2)" ] || fail "tuple beside the type"
steps --type u16x2
steps --type i32
steps --type i32 --order 0
steps --type f64x3 --order 4 --zigzag off --layout bit-planes
steps --type i32 --big-endian
steps --order 2
steps
