# SPDX-License-Identifier: Apache-2.0
numbers 1000 >data
show tdz help
#> $ tdz help
#> tdz: 'help' is neither a file nor a verb; see tdz --help
#> [1]
show tdz compres data
#> $ tdz compres data
#> tdz: 'compres' is neither a file nor a verb; see tdz --help
#> [1]
show tdz missing.pcm
#> $ tdz missing.pcm
#> tdz: missing.pcm: No such file or directory
#> [3]
show tdz compress missing
#> $ tdz compress missing
#> tdz: missing: No such file or directory
#> [3]
show tdz -v verfiy data
#> $ tdz -v verfiy data
#> tdz: 'verfiy' is neither a file nor a verb; see tdz --help
#> [1]
show tdz -d verfiy
#> $ tdz -d verfiy
#> tdz: verfiy: the name does not end in .tdz; name the result with -o FILE, or use -c
#> [1]
show tdz -9 -- missing
#> $ tdz -9 -- missing
#> tdz: missing: No such file or directory
#> [3]
# The words of gzip, xz, zstd and tar.
show tdz list data.tdz
#> $ tdz list data.tdz
#> tdz: 'list' is neither a file nor a verb; use tdz info, or see tdz --help
#> [1]
show tdz test data.tdz
#> $ tdz test data.tdz
#> tdz: 'test' is neither a file nor a verb; use tdz verify, or see tdz --help
#> [1]
show tdz -v extract data.tdz
#> $ tdz -v extract data.tdz
#> tdz: 'extract' is neither a file nor a verb; use tdz decompress, or see tdz --help
#> [1]
only data
numbers 1000 >list
tdz list
only data list list.tdz
