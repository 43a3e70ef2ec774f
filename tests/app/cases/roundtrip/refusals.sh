# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
numbers 1000 >data
show tdz roundtrip --orders 9 data
show tdz roundtrip --report html data
show tdz roundtrip --json --junit data
show tdz roundtrip --chunk 1KiB data
show tdz roundtrip --backends cpu missing
show tdz roundtrip -f -o data data
show tdz roundtrip -o nowhere/report data
ln -s data link
show tdz roundtrip -f -o data link
exits 1 bash -c 'tdz roundtrip -f -o data - <data'
[ "$(tdz roundtrip --backends cuda --device 200 data 2>&1)" != "" ] || fail "it found device 200"
exits 4 tdz roundtrip --backends cuda --device 200 data
exits 4 tdz roundtrip --backends cpu,cuda --device 200 data
# Unasked, a device that is not there is left out; -v says why.
tdz roundtrip -v --device 200 --orders 0 data 2>&1 >/dev/null | grep -c 'cuda backend is not available'
numbers 1000 | cmp - data
