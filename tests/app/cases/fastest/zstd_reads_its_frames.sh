# SPDX-License-Identifier: Apache-2.0
# Any zstd reads the frames, which have no checksum; and where nothing was packed, they hold the file itself.
need zstd
samples=$(dirname "$0")/../../samples
tdz --fastest -c "$samples/relief_i16x1.bin" >numbers.tdz
zstd -q -t numbers.tdz
zstd -q -l numbers.tdz | tail -n 1 | grep -c numbers.tdz
noise 200000 >data
tdz --fastest data
zstd -q -dc data.tdz | cmp - data
#> 1
