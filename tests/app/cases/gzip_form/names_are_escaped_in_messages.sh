# SPDX-License-Identifier: Apache-2.0
show tdz $'no\nsuch\tfile\e[31m\xff\xc2\x9b'
#> $ tdz no
#> such	file*
#> tdz: 'no\x0asuch\x09file\x1b[31m\xff\xc2\x9b' is neither a file nor a verb; see tdz --help
#> [1]
show tdz 'Größe 測定'
#> $ tdz Größe 測定
#> tdz: 'Größe 測定' is neither a file nor a verb; see tdz --help
#> [1]
show tdz -dc $'\x01'
#> $ tdz -dc *
#> tdz: \x01: No such file or directory
#> [3]
