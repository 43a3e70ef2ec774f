# SPDX-License-Identifier: Apache-2.0
numbers 100000 >a
numbers 200000 >b
numbers 300000 >c
tdz --type u16 a b c
tdz -d -f a.tdz b.tdz c.tdz
tdz -t a.tdz b.tdz c.tdz
tdz -q -f a b c
tdz -dq -f a.tdz b.tdz c.tdz
tdz -c a b c >all
tdz -l a.tdz b.tdz c.tdz >table
[ "$(wc -l <table)" -eq 4 ] || fail "table"
#! tdz: 3 files: 586 KiB -> * KiB, ratio *
#! tdz: 3 files: * KiB -> 586 KiB
#! tdz: 3 files: good, 586 KiB
#! tdz: 3 files: 586 KiB -> * KiB, ratio *
