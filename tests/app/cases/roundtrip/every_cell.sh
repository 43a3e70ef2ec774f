# SPDX-License-Identifier: Apache-2.0
# -v lists them, each coding once, at every level, with the bytes that compress would make of it.
numbers 60000 >data
tdz roundtrip -v --words 1,2 --tuples 1-2 --orders 0-1 --layouts interleaved,planes --levels 1,19 --backends cpu data
#> data: 60000 bytes in 1 chunk
#> word  layout        cells  passed  failed  incomplete
#>    1  interleaved       6       6       0           0
#>    2  interleaved       6       6       0           0
#>    2  planes            6       6       0           0
#> passed     word 1, tuple 1, order 0, interleaved, level 1, ratio *
#> passed     word 1, tuple 1, order 1, interleaved, level 1, ratio *
#> passed     word 1, tuple 2, order 1, interleaved, level 1, ratio *
#> passed     word 2, tuple 1, order 0, interleaved, level 1, ratio *
#> passed     word 2, tuple 1, order 0, planes, level 1, ratio *
#> passed     word 2, tuple 1, order 1, interleaved, level 1, ratio *
#> passed     word 2, tuple 1, order 1, planes, level 1, ratio *
#> passed     word 2, tuple 2, order 1, interleaved, level 1, ratio *
#> passed     word 2, tuple 2, order 1, planes, level 1, ratio *
#> passed     word 1, tuple 1, order 0, interleaved, level 19, ratio *
#> passed     word 1, tuple 1, order 1, interleaved, level 19, ratio *
#> passed     word 1, tuple 2, order 1, interleaved, level 19, ratio *
#> passed     word 2, tuple 1, order 0, interleaved, level 19, ratio *
#> passed     word 2, tuple 1, order 0, planes, level 19, ratio *
#> passed     word 2, tuple 1, order 1, interleaved, level 19, ratio *
#> passed     word 2, tuple 1, order 1, planes, level 19, ratio *
#> passed     word 2, tuple 2, order 1, interleaved, level 19, ratio *
#> passed     word 2, tuple 2, order 1, planes, level 19, ratio *
#>
#> cpu: *
#> 18 cells, 18 passed, 0 failed
