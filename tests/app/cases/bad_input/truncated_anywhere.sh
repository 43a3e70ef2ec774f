# SPDX-License-Identifier: Apache-2.0
numbers 200000 >data
tdz --chunk 64KiB --type u16 data
size=$(stat -c %s data.tdz)
for length in 1 4 15 16 31 32 100 167 168 200 "$((size / 2))" "$((size - 200))" "$((size - 20))" "$((size - 1))"; do
  head -c "$length" data.tdz >cut.tdz
  exits 2 tdz -d cut.tdz
  exits 2 tdz -t cut.tdz
  exits 2 tdz -d <cut.tdz
done
only data data.tdz cut.tdz
