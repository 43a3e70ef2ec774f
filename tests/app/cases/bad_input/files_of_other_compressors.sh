# SPDX-License-Identifier: Apache-2.0
# Their names do not end in .tdz, but their first bytes say more than their names.
need zstd
need xz
need bzip2
numbers 5000 >data
zstd -q data
gzip -k data
xz -k data
bzip2 -k data
printf '\x04\x22\x4D\x18\x64\x40\xA7' >data.lz4
printf 'LZIP\x01' >data.lz
printf 'PK\x03\x04' >data.zip
printf '7z\xBC\xAF\x27\x1C' >data.7z
for file in data.*; do show tdz -d "$file"; done
#> $ tdz -d data.7z
#> tdz: data.7z: this is a 7z archive; use 7z x (at byte 0)
#> [2]
#> $ tdz -d data.bz2
#> tdz: data.bz2: this is a bzip2 file; use bzip2 -d (at byte 0)
#> [2]
#> $ tdz -d data.gz
#> tdz: data.gz: this is a gzip file; use gzip -d (at byte 0)
#> [2]
#> $ tdz -d data.lz
#> tdz: data.lz: this is an lzip file; use lzip -d (at byte 0)
#> [2]
#> $ tdz -d data.lz4
#> tdz: data.lz4: this is an lz4 file; use lz4 -d (at byte 0)
#> [2]
#> $ tdz -d data.xz
#> tdz: data.xz: this is an xz file; use xz -d (at byte 0)
#> [2]
#> $ tdz -d data.zip
#> tdz: data.zip: this is a zip archive; use unzip (at byte 0)
#> [2]
#> $ tdz -d data.zst
#> tdz: data.zst: this is a plain zstd file; use zstd -d (at byte 0)
#> [2]
show tdz -t data.bz2
#> $ tdz -t data.bz2
#> tdz: data.bz2: this is a bzip2 file; use bzip2 -d (at byte 0)
#> [2]
show tdz -dc data.lz4
#> $ tdz -dc data.lz4
#> tdz: data.lz4: this is an lz4 file; use lz4 -d (at byte 0)
#> [2]
show tdz -d data
#> $ tdz -d data
#> tdz: data: the name does not end in .tdz; name the result with -o FILE, or use -c
#> [1]
