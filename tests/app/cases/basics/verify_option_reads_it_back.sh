# SPDX-License-Identifier: Apache-2.0
numbers 300000 >data
tdz --type i16 --verify -v data
tdz -dc data.tdz | cmp - data
#! tdz: data -> data.tdz: 293 KiB -> * KiB, ratio *
