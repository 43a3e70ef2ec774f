# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
mkdir tree
numbers 1000 | tee tree/a tree/b tree/c tree/d.tmp >tree/e.tdz
tdz -q tree/a tree/c
head -c 500 tree/a.tdz >tree/cut.tdz
ln -s a tree/link
show tdz -r tree missing --exclude '*.tmp' --skip-existing | sed 's/: [0-9].*;/: SIZES;/'
show tdz -d -r tree --output-dir ../back --exclude '[bd]*'
show tdz -t tree/a.tdz tree/cut.tdz tree/e.tdz tree missing
show tdz -q -t -r tree
show tdz -r tree/c.tdz
mkdir empty
show tdz -r empty
