# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Without a fault every cell passes, so the failures of the other cases come from the fault. The other verbs check digests
# and repair the fault.
numbers 60000 >data
tdz roundtrip data | tail -n 1
TDZ_STAND_IN=cuda TDZ_BROKEN=cuda-inverse tdz --backend cuda --type u32x3 --order 5 --zigzag on --layout planes --verify data
TDZ_STAND_IN=cuda TDZ_BROKEN=cuda-inverse tdz -t --backend cuda data.tdz
#> 967 cells, 967 passed, 0 failed
#! tdz: the device failed, so the CPU continues: it restored a chunk that does not match its digest
#! tdz: the device failed, so the CPU continues: it restored a chunk that does not match its digest
