# SPDX-License-Identifier: Apache-2.0
numbers 1000 >data
echo precious >data.tdz
show tdz data
#> $ tdz data
#> tdz: data: data.tdz exists; -f replaces it
#> [1]
cat data.tdz
tdz -f data
tdz -dc data.tdz | cmp - data
echo precious >data
#> precious
show tdz -d data.tdz
#> $ tdz -d data.tdz
#> tdz: data.tdz: data exists; -f replaces it
#> [1]
cat data
tdz -df data.tdz
numbers 1000 | cmp - data
#> precious
