# SPDX-License-Identifier: Apache-2.0
need zstd
need xz
printf 'Dear reader,\n' >text.tdz
: >empty.tdz
numbers 5000 >data
zstd -q data -o plain.tdz
gzip -c data >gzip.tdz
xz -c data >xz.tdz
head -c 20 plain.tdz >short.tdz
for file in text empty plain gzip xz short; do
  show tdz -d $file.tdz
  show tdz -t $file.tdz
  show tdz -l $file.tdz
done
show tdz -d <plain.tdz
only data text.tdz empty.tdz plain.tdz gzip.tdz xz.tdz short.tdz
#> $ tdz -d text.tdz
#> tdz: text.tdz: this is not a tdz file, or its header is damaged; if it was one, try tdz recover (at byte 0)
#> [2]
#> $ tdz -t text.tdz
#> tdz: text.tdz: this is not a tdz file, or its header is damaged; if it was one, try tdz recover (at byte 0)
#> [2]
#> $ tdz -l text.tdz
#> tdz: text.tdz: this is not a tdz file, or its header is damaged; if it was one, try tdz recover (at byte 0)
#> [2]
#> $ tdz -d empty.tdz
#> tdz: empty.tdz: the input is empty; a tdz stream has at least a header and an end (at byte 0)
#> [2]
#> $ tdz -t empty.tdz
#> tdz: empty.tdz: the input is empty; a tdz stream has at least a header and an end (at byte 0)
#> [2]
#> $ tdz -l empty.tdz
#> tdz: empty.tdz: the input is empty; a tdz stream has at least a header and an end (at byte 0)
#> [2]
#> $ tdz -d plain.tdz
#> tdz: plain.tdz: this is a plain zstd file; use zstd -d (at byte 0)
#> [2]
#> $ tdz -t plain.tdz
#> tdz: plain.tdz: this is a plain zstd file; use zstd -d (at byte 0)
#> [2]
#> $ tdz -l plain.tdz
#> tdz: plain.tdz: this is a plain zstd file; use zstd -d (at byte 0)
#> [2]
#> $ tdz -d gzip.tdz
#> tdz: gzip.tdz: this is a gzip file; use gzip -d (at byte 0)
#> [2]
#> $ tdz -t gzip.tdz
#> tdz: gzip.tdz: this is a gzip file; use gzip -d (at byte 0)
#> [2]
#> $ tdz -l gzip.tdz
#> tdz: gzip.tdz: this is a gzip file; use gzip -d (at byte 0)
#> [2]
#> $ tdz -d xz.tdz
#> tdz: xz.tdz: this is an xz file; use xz -d (at byte 0)
#> [2]
#> $ tdz -t xz.tdz
#> tdz: xz.tdz: this is an xz file; use xz -d (at byte 0)
#> [2]
#> $ tdz -l xz.tdz
#> tdz: xz.tdz: this is an xz file; use xz -d (at byte 0)
#> [2]
#> $ tdz -d short.tdz
#> tdz: short.tdz: this is a plain zstd file; use zstd -d (at byte 0)
#> [2]
#> $ tdz -t short.tdz
#> tdz: short.tdz: this is a plain zstd file; use zstd -d (at byte 0)
#> [2]
#> $ tdz -l short.tdz
#> tdz: short.tdz: this is a plain zstd file; use zstd -d (at byte 0)
#> [2]
#> $ tdz -d
#> tdz: (stdin): this is a plain zstd file; use zstd -d (at byte 0)
#> [2]
