# SPDX-License-Identifier: Apache-2.0
numbers 10000 >data
: >empty
mkfifo pipe
echo old >report
show tdz bench -o report data
#> $ tdz bench -o report data
#> tdz: report exists; -f replaces it
#> [1]
show tdz bench empty
#> $ tdz bench empty
#> tdz: empty: the file is empty, there is nothing to measure
#> [1]
show tdz bench .
#> $ tdz bench .
#> tdz: .: this is a folder*
#> [1]
show tdz bench --scans fastest data
#> $ tdz bench --scans fastest data
#> tdz: --scans: no scan is called fastest; see tdz bench --help
#> [1]
show tdz bench --scans sam data
#> $ tdz bench --scans sam data
#> tdz: --scans: sam runs on a GPU; say --backends cuda too
#> [1]
show tdz bench --orders 9 data
#> $ tdz bench --orders 9 data
#> tdz: --orders 9: expected numbers from 0 to 8, such as 1-4 or 1,2,8
#> [1]
show tdz bench --time 0 data
#> $ tdz bench --time 0 data
#> tdz: --time 0: expected seconds from 0.001 to 86400
#> [1]
same report <(echo old)
# After a file with an error, the others are still measured.
tdz bench --type u8 --orders 1 --time 0.1 absent data >table 2>said && fail "no error for the absent file"
grep -q data table || fail "the other file was not measured"
cat said
#> tdz: absent: No such file or directory
