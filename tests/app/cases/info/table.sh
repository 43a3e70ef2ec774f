# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
numbers 300000 >data
tdz --type i16x2 --order 1 --zigzag on --layout tuple-planes --chunk 64KiB data
tdz info data.tdz
tdz info -v data.tdz
tdz info <data.tdz | tail -n 1 | grep -o '(stdin)'
