# SPDX-License-Identifier: Apache-2.0
numbers 300000 >data
cp data kept
tdz --rm data
only data.tdz kept
tdz -d --rm data.tdz
only data kept
same data kept
tdz --rm --verify --type u16 -o packed data
only packed kept
exits 1 tdz --rm kept -o packed
only packed kept
