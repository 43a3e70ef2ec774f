# SPDX-License-Identifier: Apache-2.0
numbers 3000 >data
tdz -q --log-file log --progress never data
tdz -q -d --log-file log -o copy data.tdz
exits 2 tdz -d --log-file log -o other data
cat log
only copy data data.tdz log
#> 20??-??-??T??:??:??.???+00:00 [[]info] data -> data.tdz: 2.93 KiB -> * ratio *
#> 20??-??-??T??:??:??.???+00:00 [[]info] data.tdz -> copy: * -> 2.93 KiB
#> 20??-??-??T??:??:??.???+00:00 [[]error] data: this is not a tdz file*
