# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
numbers 300000 >data
tdz --type i16 --verify -v data
tdz -dc data.tdz | cmp - data
#! tdz: data -> data.tdz: 293 KiB -> * KiB, ratio *
