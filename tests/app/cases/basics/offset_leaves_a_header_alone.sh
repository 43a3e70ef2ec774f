# SPDX-License-Identifier: Apache-2.0
numbers 200000 >data
tdz --type i16x2 --order 1 --zigzag on --layout tuple-planes --offset 1001 data
tdz info --json --chunks data.tdz | grep -oE '"original_bytes":(1001|198999),.*"steps":.*' | sed 's/.*"steps"//'
tdz -dc data.tdz | cmp - data
tdz --type i16 --offset 1MiB -fc data | tdz -d | cmp - data
#! tdz: data: --offset 1048576 is beyond the end of 195 KiB; all of it was taken for a header
#> :[]}]}},
#> :["difference(2, 1)","zigzag","tuple-planes(2)"]}]}}]}]}
