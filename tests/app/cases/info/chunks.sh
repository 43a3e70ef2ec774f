# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
numbers 200000 >data
tdz --type u16x3 --order 1 --zigzag on --layout tuple-planes --chunk 64KiB --offset 1000 data
tdz info --chunks data.tdz
