# SPDX-License-Identifier: Apache-2.0
numbers 300000 >data
tdz data
tdz verify data.tdz
tdz verify -v data.tdz
tdz verify <data.tdz
only data data.tdz
#! tdz: data.tdz: good, 293 KiB
