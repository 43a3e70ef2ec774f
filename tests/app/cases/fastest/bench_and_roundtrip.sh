# SPDX-License-Identifier: Apache-2.0
# Both take a file that --fastest wrote as they take any bytes, and --verify reads back what was written.
samples=$(dirname "$0")/../../samples
tdz --fastest --verify -o audio.tdz "$samples/audio_i16x1.bin"
tdz bench -q --time 0.1 audio.tdz | grep -c 'audio.tdz: '
tdz roundtrip -q --words 2 --tuples 1 --orders 1 --layouts planes --backends cpu audio.tdz | tail -n 1
#> 1
#> 1 cell, 1 passed, 0 failed
