# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2238
numbers 1000 >data
numbers 2000 >more
tdz data
cp data.tdz kept
mkdir folder
show tdz data
#> $ tdz data
#> tdz: data: data.tdz exists; -f replaces it
#> [1]
show tdz -d data.tdz
#> $ tdz -d data.tdz
#> tdz: data.tdz: data exists; -f replaces it
#> [1]
show tdz data more -o both
#> $ tdz data more -o both
#> tdz: -o names one result, but there are several files; use --output-dir
#> [1]
show tdz -d data.tdz more -o both
#> $ tdz -d data.tdz more -o both
#> tdz: -o names one result, but there are several files; use --output-dir
#> [1]
show tdz -d data
#> $ tdz -d data
#> tdz: data: the name does not end in .tdz; name the result with -o FILE, or use -c
#> [1]
show tdz -d .tdz
#> $ tdz -d .tdz
#> tdz: .tdz: the name does not end in .tdz; name the result with -o FILE, or use -c
#> [1]
show tdz folder
#> $ tdz folder
#> tdz: folder: this is a folder; use -r to go through it, or pack it with tar -I tdz
#> [1]
show tdz -d folder
#> $ tdz -d folder
#> tdz: folder: this is a folder; use -r to go through it, or pack it with tar -I tdz
#> [1]
show tdz verify folder
#> $ tdz verify folder
#> tdz: folder: this is a folder; use -r to go through it, or pack it with tar -I tdz
#> [1]
show tdz info folder
#> $ tdz info folder
#> tdz: folder: this is a folder; use -r to go through it, or pack it with tar -I tdz
#> [1]
show tdz <folder
#> $ tdz
#> tdz: (stdin): this is a folder; use -r to go through it, or pack it with tar -I tdz
#> [1]
show tdz ./missing
#> $ tdz ./missing
#> tdz: ./missing: No such file or directory
#> [3]
show tdz -d missing.tdz
#> $ tdz -d missing.tdz
#> tdz: missing.tdz: No such file or directory
#> [3]
show tdz /dev/null
#> $ tdz /dev/null
#> tdz: /dev/null: this is a device; to read it, use -f, and -o FILE or -c for the result
#> [1]
show tdz -f /dev/null
#> $ tdz -f /dev/null
#> tdz: /dev/null: this is a device; to read it, use -f, and -o FILE or -c for the result
#> [1]
show tdz /dev/zero
#> $ tdz /dev/zero
#> tdz: /dev/zero: this is a device; to read it, use -f, and -o FILE or -c for the result
#> [1]
show tdz data -o data
#> $ tdz data -o data
#> tdz: data: input and output are the same file
#> [1]
show tdz -f data -o data
#> $ tdz -f data -o data
#> tdz: data: input and output are the same file
#> [1]
show tdz -f data -o ./folder/../data
#> $ tdz -f data -o ./folder/../data
#> tdz: data: input and output are the same file
#> [1]
show tdz more -o folder
#> $ tdz more -o folder
#> tdz: more: folder is a folder; name a file
#> [1]
show tdz -f more -o folder
#> $ tdz -f more -o folder
#> tdz: more: folder is a folder; name a file
#> [1]
show tdz more -o nowhere/more.tdz
#> $ tdz more -o nowhere/more.tdz
#> tdz: more: opening the folder nowhere: No such file or directory
#> [3]
show tdz more -o ''
#> $ tdz more -o *
#> tdz: --output '': a file name must not be empty
#> [1]
show tdz more --log-file nowhere/log
#> $ tdz more --log-file nowhere/log
#> tdz: opening nowhere/log: No such file or directory
#> [3]
show tdz --type i16x2 more --order
#> $ tdz --type i16x2 more --order
#> tdz: --order needs a value; see tdz --help
#> [1]
same data.tdz kept
only data data.tdz kept more folder
