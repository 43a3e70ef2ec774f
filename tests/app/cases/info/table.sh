# SPDX-License-Identifier: Apache-2.0
numbers 300000 >data
tdz --type i16x2 --order 1 --zigzag on --layout tuple-planes --chunk 64KiB data
tdz info data.tdz
tdz info -v data.tdz
tdz info <data.tdz | tail -n 1 | grep -o '(stdin)'
#>     Stored   Original    Ratio    Chunks  Type      Steps                                                          Name
#>   * KiB    293 KiB *         5  i16x2     difference(2, 1), zigzag, tuple-planes(2) *data.tdz
#>     Stored   Original    Ratio    Chunks  Type      Steps                                                          Name
#>   * KiB    293 KiB *         5  i16x2     difference(2, 1), zigzag, tuple-planes(2) *data.tdz
#>   stream at byte 0: format 1.0, * bytes of 300000, 5 chunks of up to 64.0 KiB, frames of up to 64.0 KiB
#>     16-bit words: difference(2, 1), zigzag, tuple-planes(2)
#>     XXH3-128 ????????????????????????????????
#> (stdin)
