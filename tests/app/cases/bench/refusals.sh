# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
numbers 10000 >data
: >empty
mkfifo pipe
echo old >report
show tdz bench -o report data
show tdz bench empty
show tdz bench .
show tdz bench --scans fastest data
show tdz bench --scans sam data
show tdz bench --orders 9 data
show tdz bench --time 0 data
same report <(echo old)
# One bad file does not stop the others.
tdz bench --type u8 --orders 1 --time 0.1 absent data >table 2>said && fail "the absent file was not told"
grep -q data table || fail "the other file was not measured"
cat said
