# SPDX-License-Identifier: Apache-2.0
numbers 300000 >data
tdz data
only data data.tdz
mv data original
tdz -d data.tdz
only data data.tdz original
same data original
