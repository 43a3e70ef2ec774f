# SPDX-License-Identifier: Apache-2.0
# The steps depend on word and tuple, not on the name of the type: u16x2 and --word 2 --tuple 2 give the same steps. Given
# options are kept; if all are given, nothing is searched.
numbers 100000 >data
steps() { tdz -c "$@" data >packed && tdz info --chunks packed | tail -n 1 | sed 's/.*words/words/'; }
[ "$(steps --type u16x2)" = "$(steps --word 2 --tuple 2)" ] || fail "word and tuple without a type"
[ "$(steps --type u16x2)" = "$(steps --type u16 --tuple 2)" ] || fail "a tuple with a type"
all="--order 1 --zigzag on --layout tuple-planes"
# shellcheck disable=SC2086
{
  steps --type u16x2 $all
  steps --word 2 --tuple 2 $all
  steps --type i32x1 $all
  steps --type i32x1 $all --big-endian
  steps --type u8x1 $all --row 300
}
steps --type i32x1 --order 0 --zigzag off --layout planes
steps --type f64x3 --order 4 --zigzag off --layout bit-planes
steps --word 1 --tuple 1 --order 0 --zigzag off --layout interleaved
#> words: difference(2, 1), zigzag, tuple-planes(2)
#> words: difference(2, 1), zigzag, tuple-planes(2)
#> words: difference(1, 1), zigzag, planes
#> words: byteswap, difference(1, 1), zigzag, planes
#> words: difference(1, 1), difference(300, 1), zigzag
#> words: planes
#> words: difference(3, 4), bit-planes
#> words: none
