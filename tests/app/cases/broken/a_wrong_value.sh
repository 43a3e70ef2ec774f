# SPDX-License-Identifier: Apache-2.0
numbers 60000 >data
TDZ_BROKEN=cpu-inverse tdz roundtrip --backends cpu --words 4 --tuples 3 --orders 5 data
#> data: 60000 bytes in 1 chunk
#> word  layout        cells  passed  failed  incomplete
#>    4  interleaved       1       1       0           0
#>    4  planes            1       0       1           0
#>    4  tuple-planes      1       1       0           0
#>    4  bit-planes        1       1       0           0
#>    4  packed            1       1       0           0
#> FAILED word 4, tuple 3, order 5, planes, level 1
#>   coded by cpu, restored by cpu: value 1000 is wrong
#>     chunk 0, from byte 0 of the file on: the restored bytes do not match their digest
#>     value 1000, lane 1, at byte 4000 of the file: expected 822751794 (0x310a3232), found 822751795 (0x310a3233)
#>              value   lane                 expected                      found
#>                996      0   171520304 (0x0a393130)     171520304 (0x0a393130)
#>                997      1   808595505 (0x30323031)     808595505 (0x30323031)
#>                998      2   842019082 (0x3230310a)     842019082 (0x3230310a)
#>                999      0   808520241 (0x30310a31)     808520241 (0x30310a31)
#>     >         1000      1   822751794 (0x310a3232)  !  822751795 (0x310a3233)
#>               1001      2   171127344 (0x0a333230)     171127344 (0x0a333230)
#>               1002      0   875704369 (0x34323031)     875704369 (0x34323031)
#>               1003      1   842019082 (0x3230310a)     842019082 (0x3230310a)
#>               1004      2   808520245 (0x30310a35)     808520245 (0x30310a35)
#>
#> cpu: *
#> 5 cells, 4 passed, 1 failed
#! tdz: data: 1 of 5 cells failed
#= 2
