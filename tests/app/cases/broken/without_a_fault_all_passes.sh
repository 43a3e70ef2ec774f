# SPDX-License-Identifier: Apache-2.0
# Without a fault every cell passes, so the failures of the other cases come from the fault.
numbers 60000 >data
tdz roundtrip data | tail -n 1
#> 967 cells, 967 passed, 0 failed
