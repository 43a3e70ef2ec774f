# SPDX-License-Identifier: Apache-2.0
# Lengths: empty, shorter than a word, not a multiple of a word or tuple, around the ends of chunks.
for length in 0 1 2 3 5 7 8 9 1001 60479 60480 60481 65535 65536 65537 131071; do
  numbers $length 7 >"$length"
done
tdz roundtrip --backends cpu --chunk 64KiB --tuples 1,3,8 --orders 0,1,8 ./* | grep -v '^[ w]' | grep .
# Tuples that do not fit into a chunk do not split words: a value has the same number in every cell.
tdz roundtrip --chunk 64KiB --words 8 --tuples 8191,8192,100000 --orders 2 131071 | tail -n 1
#> ./0: 0 bytes in 0 chunks
#> ./1: 1 byte in 1 chunk
#> ./1001: 1001 bytes in 1 chunk
#> ./131071: 131071 bytes in 3 chunks
#> ./2: 2 bytes in 1 chunk
#> ./3: 3 bytes in 1 chunk
#> ./5: 5 bytes in 1 chunk
#> ./60479: 60479 bytes in 1 chunk
#> ./60480: 60480 bytes in 1 chunk
#> ./60481: 60481 bytes in 1 chunk
#> ./65535: 65535 bytes in 2 chunks
#> ./65536: 65536 bytes in 2 chunks
#> ./65537: 65537 bytes in 2 chunks
#> ./7: 7 bytes in 1 chunk
#> ./8: 8 bytes in 1 chunk
#> ./9: 9 bytes in 1 chunk
#> cpu: *
#> 2192 cells, 2192 passed, 0 failed
#> 15 cells, 15 passed, 0 failed
