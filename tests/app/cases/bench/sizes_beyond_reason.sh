# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
numbers 1000 >data
show tdz bench --size 16E data
show tdz bench --size 12297829382473034416 data
show tdz bench --scans $'a\e[31m' data
show tdz bench --curves --words 2 --size 64KiB data
show tdz bench --type u8
