# SPDX-License-Identifier: Apache-2.0
: >empty
tdz analyze empty | grep -c "8-bit words: none"
for _ in $(seq 2000); do echo "a line of text that holds no numbers"; done >text
tdz analyze text | grep "^  chosen"
{ printf 'P5\n300 300\n255\n' && numbers 90000; } >image
tdz analyze image | head -n 1
exits 1 tdz analyze --fast --best image
#> 1
#>   chosen 8-bit words: none
#> image: PGM, numbers from byte 15 on; level 3, chunks of 1.00 MiB
