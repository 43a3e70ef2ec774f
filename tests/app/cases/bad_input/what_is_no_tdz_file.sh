# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
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
