# SPDX-License-Identifier: Apache-2.0
numbers 1000 >data
show tdz bench --size 16E data
#> $ tdz bench --size 16E data
#> tdz: --size: '16E' is not a size; write a number of bytes, or 64KiB, 1M, 2GiB
#> [1]
show tdz bench --size 12297829382473034416 data
#> $ tdz bench --size 12297829382473034416 data
#> tdz: --size 12297829382473034416: expected a size up to 1024T
#> [1]
show tdz bench --scans $'a\e[31m' data
#> $ tdz bench --scans a*m data
#> tdz: --scans: no scan is called a\x1b[31m; see tdz bench --help
#> [1]
show tdz bench --curves --words 2 --size 64KiB data
#> $ tdz bench --curves --words 2 --size 64KiB data
#> tdz: --curves measures words of 4 and 8 bytes; --words must name one of them
#> [1]
show tdz bench --type u8
#> $ tdz bench --type u8
#> tdz: --type describes the numbers in FILE, but no FILE is given
#> [1]
