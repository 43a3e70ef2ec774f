# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2238
numbers 1000 >data
numbers 2000 >more
tdz data
cp data.tdz kept
mkdir folder
show tdz data
show tdz -d data.tdz
show tdz data more -o both
show tdz -d data.tdz more -o both
show tdz -d data
show tdz -d .tdz
show tdz folder
show tdz -d folder
show tdz verify folder
show tdz info folder
show tdz <folder
show tdz missing
show tdz -d missing.tdz
show tdz /dev/null
show tdz -f /dev/null
show tdz /dev/zero
show tdz data -o data
show tdz -f data -o data
show tdz -f data -o ./folder/../data
show tdz more -o folder
show tdz -f more -o folder
show tdz more -o nowhere/more.tdz
show tdz more -o ''
show tdz more --log-file nowhere/log
show tdz --type i16x2 more --order
same data.tdz kept
only data data.tdz kept more folder
