# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
numbers 1000 | tee a b >c
tdz -q b
touch -d 2001-01-01 b.tdz
ln -s nowhere c.tdz
show tdz --skip-existing --rm a b c
only a.tdz b b.tdz c c.tdz
[ "$(stat -c %Y b.tdz)" -eq 978307200 ] || fail "written again"
show tdz -v -d --skip-existing a.tdz b.tdz
show tdz --skip-existing b -o b.tdz
show tdz -q --skip-existing b.tdz missing
rm b.tdz
mkdir b.tdz
show tdz --skip-existing b

# A link below the folder of the results leads nowhere, and is no result.
mkdir -p data real
numbers 1000 >data/x
tdz -q -o real/x.tdz data/x
mkdir out
ln -s ../real out/data
show tdz -q -r data --skip-existing --output-dir out
rm out/data
mkdir out/data
ln -s ../../data/x out/data/x.tdz
show tdz -q -r data --skip-existing --output-dir out
rm out/data/x.tdz
tdz -q -r data --skip-existing --output-dir out
show tdz -r data --skip-existing --output-dir out
numbers 10 >y
show tdz --skip-existing -o x <y
