# SPDX-License-Identifier: Apache-2.0
: >data
tdz data
tdz info data.tdz | tail -n 1
tdz info --chunks data.tdz | wc -l
#>      * B        0 B        -         0  bytes     none * data.tdz
#> 3
