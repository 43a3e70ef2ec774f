# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2002
numbers 300000 >data
tdz <data >packed
tdz -d <packed >copy
same copy data
cat data | tdz | tdz -d | cmp - data
cat data | tdz compress - | tdz decompress - | cmp - data
tdz -c - <data | cmp - packed
cat packed | tdz -t
cat data | tdz -o named
cat named | tdz -d -o copy -f
same copy data
only data packed copy named
