# SPDX-License-Identifier: Apache-2.0
numbers 1000 >data
tdz data
show tdz -d --range 0:1001 -o out data.tdz
#> $ tdz -d --range 0:1001 -o out data.tdz
#> tdz: data.tdz: the range reaches to byte 1001, but the original has only 1000 bytes
#> [1]
show tdz -d --range 1001: -o out data.tdz
#> $ tdz -d --range 1001: -o out data.tdz
#> tdz: data.tdz: the range reaches to byte 1001, but the original has only 1000 bytes
#> [1]
show tdz -d --range 5 -o out data.tdz
#> $ tdz -d --range 5 -o out data.tdz
#> tdz: --range 5: expected OFFSET:LENGTH, such as 1M:64KiB, or 1000v:20v in values
#> [1]
show tdz -d --range :5 -o out data.tdz
#> $ tdz -d --range :5 -o out data.tdz
#> tdz: --range :5: expected OFFSET:LENGTH, such as 1M:64KiB, or 1000v:20v in values
#> [1]
show tdz -d --range 5:x -o out data.tdz
#> $ tdz -d --range 5:x -o out data.tdz
#> tdz: --range 5:x: 'x' is not a size; write a number of bytes, or 64KiB, 1M, 2GiB
#> [1]
show tdz -d --range 5v:6vv -o out data.tdz
#> $ tdz -d --range 5v:6vv -o out data.tdz
#> tdz: --range 5v:6vv: expected OFFSET:LENGTH, such as 1M:64KiB, or 1000v:20v in values
#> [1]
show tdz -d --range 0:9 data.tdz
#> $ tdz -d --range 0:9 data.tdz
#> tdz: --range restores only a part; name the result with -o FILE, or use -c
#> [1]
show tdz -d --range 0:9 --rm -o out data.tdz
#> $ tdz -d --range 0:9 --rm -o out data.tdz
#> tdz: --range restores only a part, and --rm would lose the rest; leave out --rm
#> [1]
show tdz verify --range 0:9 data.tdz
#> $ tdz verify --range 0:9 data.tdz
#> tdz: --range is not an option of verify; see tdz verify --help
#> [1]
only data data.tdz
