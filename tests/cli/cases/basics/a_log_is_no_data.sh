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

# What is there and is no log is not appended to, by whatever way it is named.
numbers 3000 >raw
numbers 3000 | tdz -q >packed.tdz
printf 'packed.tdz\n' >list
show tdz -t --filelist list --log-file packed.tdz
show tdz -q --filelist list --log-file list
show tdz -q -r tree --log-file raw
same raw copy
tdz -q -t packed.tdz
printf 'new\n' >list
show tdz -t --filelist list --log-file new

# What cannot be logged is said, once.
show tdz -q -f --log-file /dev/full copy raw
