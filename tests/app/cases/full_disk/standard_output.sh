# SPDX-License-Identifier: Apache-2.0
[ -w /dev/full ] || skip "no /dev/full here"
numbers 300000 >data
tdz data
exits 3 bash -c 'tdz -c data >/dev/full'
exits 3 bash -c 'tdz -dc data.tdz >/dev/full'
exits 3 bash -c 'tdz info data.tdz >/dev/full'
exits 3 bash -c 'tdz --help >/dev/full'
tdz -c data 2>said >/dev/full || cat said
#> tdz: data: writing (stdout): No space left on device
