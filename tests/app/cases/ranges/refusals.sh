# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
numbers 1000 >data
tdz data
show tdz -d --range 0:1001 -o out data.tdz
show tdz -d --range 1001: -o out data.tdz
show tdz -d --range 5 -o out data.tdz
show tdz -d --range :5 -o out data.tdz
show tdz -d --range 5:x -o out data.tdz
show tdz -d --range 5v:6vv -o out data.tdz
show tdz -d --range 0:9 data.tdz
show tdz -d --range 0:9 --rm -o out data.tdz
show tdz verify --range 0:9 data.tdz
only data data.tdz
