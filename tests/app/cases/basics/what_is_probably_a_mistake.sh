# SPDX-License-Identifier: Apache-2.0
numbers 1000 >data
show tdz data
#> $ tdz data
show tdz -f data.tdz
#> $ tdz -f data.tdz
#> tdz: data.tdz: the name already ends in .tdz; it was compressed again
show tdz -f --offset 1001 data
#> $ tdz -f --offset 1001 data
#> tdz: data: --offset 1001 is beyond the end of 1000 B; all of it was taken for a header
show tdz -f --offset 1000 data
#> $ tdz -f --offset 1000 data
mkdir folder
show tdz -d folder
#> $ tdz -d folder
#> tdz: folder: this is a folder; use -r to go through it, or pack it with tar -I tdz
#> [1]
tdz -dc data.tdz.tdz | tdz -dc | cmp - data
only data data.tdz data.tdz.tdz folder
