# SPDX-License-Identifier: Apache-2.0
numbers 100000 >data
tdz -q data
tdz -v -f --type u8 data
tdz -qd -o copy data.tdz
tdz -dv data.tdz -o copy2
exits 1 tdz -q data
tdz -q data || true
#! tdz: data -> data.tdz: 97.7 KiB -> * KiB, ratio *
#! tdz: data.tdz -> copy2: * KiB -> 97.7 KiB
#! tdz: data: data.tdz exists; -f replaces it
