# SPDX-License-Identifier: Apache-2.0
# Packed groups, alone and after each difference, of numbers that they make shorter, and of noise, which is stored as it is.
sample=$(dirname "$0")/../../samples/stars_u32x3.bin
head -c 100001 "$sample" >stars
head -c 100001 /dev/urandom >noise
tdz roundtrip --backends cpu --chunk 64KiB --tuples 1,3,257 --layouts packed stars noise | grep -v '^word'
tdz roundtrip -v --backends cpu --words 4 --tuples 3 --orders 1 --layouts packed stars noise | grep -o '^passed.*ratio [01]\.[0-9]'
#> stars: 100001 bytes in 2 chunks
#>    1  packed           26      26       0           0
#>    2  packed           26      26       0           0
#>    4  packed           26      26       0           0
#>    8  packed           26      26       0           0
#>
#> noise: 100001 bytes in 2 chunks
#>    1  packed           26      26       0           0
#>    2  packed           26      26       0           0
#>    4  packed           26      26       0           0
#>    8  packed           26      26       0           0
#>
#> cpu: *
#> 208 cells, 208 passed, 0 failed
#> passed     word 4, tuple 3, order 1, packed, level 1, ratio 1.2
#> passed     word 4, tuple 3, order 1, packed, level 1, ratio 1.0
