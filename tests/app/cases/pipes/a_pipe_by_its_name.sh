# SPDX-License-Identifier: Apache-2.0
numbers 300000 >data
tdz -c <(cat data) | tdz -d | cmp - data
mkfifo pipe
cat data >pipe &
tdz pipe -o packed
wait
cat packed >pipe &
tdz -d -c pipe | cmp - data
