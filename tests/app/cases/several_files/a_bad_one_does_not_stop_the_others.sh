# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
numbers 100000 >a
numbers 200000 >c
tdz -q a c
cp a a.kept
rm a c
echo 'no numbers' >b.tdz
show tdz -d a.tdz b.tdz missing.tdz c.tdz
same a a.kept
show tdz -t a.tdz b.tdz c.tdz
show tdz -q -t b.tdz c.tdz
show tdz a.kept missing c
