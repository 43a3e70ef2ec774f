# SPDX-License-Identifier: Apache-2.0
numbers 100000 >data
tdz -kf9 data
tdz -9 -c data | cmp - data.tdz
tdz -9kf data
tdz -cT2 data -9 | cmp - data.tdz
tdz -dc data.tdz | cmp - data
tdz -dfkodata.copy data.tdz
same data data.copy
tdz data.tdz -dcT 1 | cmp - data
