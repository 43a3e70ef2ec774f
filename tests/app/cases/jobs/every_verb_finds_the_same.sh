# SPDX-License-Identifier: Apache-2.0
need python3
mkdir -p tree/deep
numbers 1000 | tee tree/a >tree/deep/b
tdz -q -r tree --type u8
tdz verify -r tree
tdz verify -q --filelist - < <(find tree -name '*.tdz')
tdz info -r tree | awk '{ print $NF }'
tdz info --json -r tree --exclude deep | python3 -c 'import json, sys; print([f["name"] for f in json.load(sys.stdin)["files"]])'
tdz -d -r -c tree | cmp - <(cat tree/a tree/deep/b)
#> Name
#> tree/a.tdz
#> tree/deep/b.tdz
#> ['tree/a.tdz']
#! tdz: 2 files: good, 1.95 KiB
#! tdz: 2 skipped: the name does not end in .tdz
#! tdz: 2 files: * -> *
#! tdz: 2 skipped: the name does not end in .tdz
