# SPDX-License-Identifier: Apache-2.0
numbers 300000 >data
grid=(--backends cpu --words 2 --tuples 2 --orders 1 --layouts planes)
{ head -c 100000 data; sleep 0.1; tail -c 200000 data; } | tdz roundtrip "${grid[@]}" --chunk 64KiB
tdz roundtrip "${grid[@]}" - <data | head -n 1
#> (stdin): 300000 bytes in 5 chunks
#> word  layout        cells  passed  failed  incomplete
#>    2  planes            1       1       0           0
#>
#> cpu: *
#> 1 cell, 1 passed, 0 failed
#> (stdin): 300000 bytes in 1 chunk
