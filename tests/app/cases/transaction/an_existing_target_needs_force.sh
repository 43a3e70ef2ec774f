# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
numbers 1000 >data
echo precious >data.tdz
show tdz data
cat data.tdz
tdz -f data
tdz -dc data.tdz | cmp - data
echo precious >data
show tdz -d data.tdz
cat data
tdz -df data.tdz
numbers 1000 | cmp - data
