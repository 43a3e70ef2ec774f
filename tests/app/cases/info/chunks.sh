# SPDX-License-Identifier: Apache-2.0
numbers 200000 >data
tdz --type u16x3 --order 1 --zigzag on --layout tuple-planes --chunk 64KiB --offset 1000 data
tdz info --chunks data.tdz
#>     Stored *
#>   * KiB    195 KiB *         5  u16x3     difference(3, 1), zigzag, tuple-planes(3) +1 *data.tdz
#>     Chunk     Stored at     Stored   Original at   Original  XXH3-64           Steps
#>         0 * 0       1000  ????????????????  *: none
#>         1 * 1000      65532  ????????????????  16-bit words: difference(3, 1), zigzag, tuple-planes(3)
#>         2 * 66532      65532  ????????????????  16-bit words: difference(3, 1), zigzag, tuple-planes(3)
#>         3 * 132064      65532  ????????????????  16-bit words: difference(3, 1), zigzag, tuple-planes(3)
#>         4 * 197596       2404  ????????????????  16-bit words: difference(3, 1), zigzag, tuple-planes(3)
