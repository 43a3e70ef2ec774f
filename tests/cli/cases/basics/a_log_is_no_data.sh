# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
numbers 3000 | tee data >copy
show tdz --log-file data data
show tdz -t --log-file ./data copy data
same data copy
mkdir tree
mv data tree
tdz -q -r --rm --log-file tree/log tree
only copy tree tree/data.tdz tree/log
[ -s tree/log ]
