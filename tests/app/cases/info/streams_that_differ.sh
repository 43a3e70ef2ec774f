# SPDX-License-Identifier: Apache-2.0
numbers 200000 >data
tdz -c --type u16 data >both
tdz -c --type f32x3 data >>both
tdz info --sum both | tail -n 1
tdz info -v both | grep -cE '^  stream at byte'
#> * KiB    391 KiB * 2  several   several * several, see -v * both
#> 2
