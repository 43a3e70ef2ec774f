# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Empty, shorter than a word, no multiple of a word or tuple, around the ends of chunks.
for length in 0 1 2 3 5 7 8 9 1001 60479 60480 60481 65535 65536 65537 131071; do
  numbers $length 7 >"$length"
done
tdz roundtrip --backends cpu --chunk 64KiB --tuples 1,3,8 --orders 0,1,8 ./* | grep -v '^[ w]' | grep .
# Words stay whole where no tuple fits: a value has the same number in every cell.
tdz roundtrip --chunk 64KiB --words 8 --tuples 8191,8192,100000 --orders 2 131071 | tail -n 1
