# SPDX-License-Identifier: Apache-2.0
# tar -I "tdz -9 --type i16" adds -d to restore.
numbers 1000 >data
tdz -9 --type i16 <data >packed
tdz -9 --type i16 -d <packed | cmp - data
tdz -9 --type i16 --chunk 64K --verify -d <packed | cmp - data
show tdz decompress --type i16 packed
#> $ tdz decompress --type i16 packed
#> tdz: --type is not an option of decompress; see tdz decompress --help
#> [1]
show tdz verify -o x packed
#> $ tdz verify -o x packed
#> tdz: -o is not an option of verify; see tdz verify --help
#> [1]
show tdz info --rm packed
#> $ tdz info --rm packed
#> tdz: --rm is not an option of info; see tdz info --help
#> [1]
