# SPDX-License-Identifier: Apache-2.0
head -c 20000000 /dev/zero >data
tdz --chunk 16MiB data
show tdz --memory 8MiB --chunk 16MiB -o more data
#> $ tdz --memory 8MiB --chunk 16MiB -o more data
#> tdz: data: chunks of 16.0 MiB need *.* MiB of memory, but the limit is 8.0 MiB; allow more, or compress in shorter chunks
#> [4]
show tdz -d --memory 10M -o out data.tdz
#> $ tdz -d --memory 10M -o out data.tdz
#> tdz: data.tdz: chunks of 16.0 MiB need 32.* MiB of memory, but the limit is 10.0 MiB; allow more, or compress in shorter chunks (at byte 168)
#> [4]
show tdz -t --memory 10M data.tdz
#> $ tdz -t --memory 10M data.tdz
#> tdz: data.tdz: chunks of 16.0 MiB need 32.* MiB of memory, but the limit is 10.0 MiB; allow more, or compress in shorter chunks (at byte 168)
#> [4]
show tdz -d --max-output 19M -o out data.tdz
#> $ tdz -d --max-output 19M -o out data.tdz
#> tdz: data.tdz: the original is longer than the limit of 19922944 bytes (at byte *)
#> [4]
show tdz -dc --max-output 5 data.tdz
#> $ tdz -dc --max-output 5 data.tdz
#> tdz: data.tdz: the original is longer than the limit of 5 bytes (at byte 168)
#> [4]
show tdz -d --memory 0 data.tdz
#> $ tdz -d --memory 0 data.tdz
#> tdz: --memory 0: expected a size above 0
#> [1]
tdz -d --max-output 20000000 -o out data.tdz
same data out
only data data.tdz out
