# SPDX-License-Identifier: Apache-2.0
numbers 1000 >data
show tdz roundtrip --orders 9 data
#> $ tdz roundtrip --orders 9 data
#> tdz: --orders 9: expected numbers from 0 to 8, such as 1-4 or 1,2,8
#> [1]
show tdz roundtrip --layouts planes,tokens data
#> $ tdz roundtrip --layouts planes,tokens data
#> tdz: --layouts planes,tokens: expected some of interleaved,planes,tuple-planes,bit-planes,packed, or all
#> [1]
show tdz roundtrip --report html data
#> $ tdz roundtrip --report html data
#> tdz: --report html: expected one of table, json, junit
#> [1]
show tdz roundtrip --json --junit data
#> $ tdz roundtrip --json --junit data
#> tdz: --json and --junit exclude each other; give only one of them
#> [1]
show tdz roundtrip --chunk 1KiB data
#> $ tdz roundtrip --chunk 1KiB data
#> tdz: --chunk 1KiB: expected a size from 64.0 KiB to 1.00 GiB
#> [1]
show tdz roundtrip --backends cpu missing
#> $ tdz roundtrip --backends cpu missing
#> tdz: missing: No such file or directory
#> missing: No such file or directory
#>
#> cpu: *
#> 0 cells, 0 passed, 0 failed
#> [3]
show tdz roundtrip -f -o data data
#> $ tdz roundtrip -f -o data data
#> tdz: data is a source or the log of this run and would be overwritten; name another file
#> [1]
show tdz roundtrip -o nowhere/report data
#> $ tdz roundtrip -o nowhere/report data
#> tdz: opening the folder nowhere: No such file or directory
#> [3]
ln -s data link
show tdz roundtrip -f -o data link
#> $ tdz roundtrip -f -o data link
#> tdz: data is a source or the log of this run and would be overwritten; name another file
#> [1]
exits 1 bash -c 'tdz roundtrip -f -o data - <data'
[ "$(tdz roundtrip --backends cuda --device 200 data 2>&1)" != "" ] || fail "it found device 200"
exits 4 tdz roundtrip --backends cuda --device 200 data
exits 4 tdz roundtrip --backends cpu,cuda --device 200 data
# If --backends is not given, a missing device is left out; -v says why.
tdz roundtrip -v --device 200 --orders 0 data 2>&1 >/dev/null | grep -c 'cuda backend is not available'
numbers 1000 | cmp - data
#> 1
