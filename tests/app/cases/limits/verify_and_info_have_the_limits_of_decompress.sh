# SPDX-License-Identifier: Apache-2.0
head -c 20000000 /dev/zero >data
tdz --chunk 16MiB data
cp data.tdz more.tdz
cat data.tdz >>more.tdz
show tdz verify --max-output 19M data.tdz
#> $ tdz verify --max-output 19M data.tdz
#> tdz: data.tdz: the original is longer than the limit of 19922944 bytes (at byte *)
#> [4]
show tdz -t --max-output 20000000 -v data.tdz more.tdz
#> $ tdz -t --max-output 20000000 -v data.tdz more.tdz
#> tdz: data.tdz: good, 19.1 MiB
#> tdz: more.tdz: the original is longer than the limit of 20000000 bytes (at byte *)
#> tdz: 1 of 2 files: good, 19.1 MiB
#> tdz: 1 failed: a limit, or too little memory
#> [4]
show tdz info --max-output 19M data.tdz
#> $ tdz info --max-output 19M data.tdz
#> tdz: data.tdz: the original is longer than the limit of 19922944 bytes (at byte 0)
#> [4]
show tdz info --json --max-output 20000000 more.tdz
#> $ tdz info --json --max-output 20000000 more.tdz
#> tdz: more.tdz: the original is longer than the limit of 20000000 bytes (at byte *)
#> {"schema":"tdz-info/1","files":[
#> {"name":"more.tdz",*"error":{"kind":"limit","message":"the original is longer than the limit of 20000000 bytes",*
#> ]}
#> [4]
tdz info --max-output 20000000 data.tdz >/dev/null
show tdz verify --memory 10M data.tdz
#> $ tdz verify --memory 10M data.tdz
#> tdz: data.tdz: chunks of 16.0 MiB need 32.* MiB of memory, but the limit is 10.0 MiB; allow more, or compress in shorter chunks (at byte 168)
#> [4]
# info decodes nothing: what it needs is a list of streams.
tdz info --memory 1M data.tdz >/dev/null
for ((i = 0; i < 200; ++i)); do cat data.tdz; done >many.tdz
show tdz -l --memory 20K many.tdz
#> $ tdz -l --memory 20K many.tdz
#> tdz: many.tdz: the list of streams needs 20.* KiB of memory, but the limit is 20.0 KiB; allow more (at byte *)
#> [4]
