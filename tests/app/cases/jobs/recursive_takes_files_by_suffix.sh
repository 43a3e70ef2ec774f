# SPDX-License-Identifier: Apache-2.0
mkdir -p tree/deep/deeper tree/empty outside
for file in tree/a tree/deep/b tree/deep/deeper/c outside/d tree/.hidden tree/.old-AbCd12.tdz.tmp; do numbers 1000 >$file; done
tdz -o tree/packed.tdz outside/d
ln -s ../outside tree/link
ln -s ../outside/d tree/link_to_file
mkfifo tree/pipe
show tdz -v -r tree | sed 's/: 1000 B.*//'
#> $ tdz -v -r tree
#> tdz: tree/.hidden -> tree/.hidden.tdz
#> tdz: tree/.old-AbCd12.tdz.tmp: skipped: a temporary file of a killed tdz
#> tdz: tree/a -> tree/a.tdz
#> tdz: tree/deep/b -> tree/deep/b.tdz
#> tdz: tree/deep/deeper/c -> tree/deep/deeper/c.tdz
#> tdz: tree/link: skipped: a link, pipe, socket or device
#> tdz: tree/link_to_file: skipped: a link, pipe, socket or device
#> tdz: tree/packed.tdz: skipped: the name already ends in .tdz
#> tdz: tree/pipe: skipped: a link, pipe, socket or device
#> tdz: 4 files: * -> *
#> tdz: 1 skipped: the name already ends in .tdz
#> tdz: 1 skipped: a temporary file of a killed tdz
#> tdz: 3 skipped: a link, pipe, socket or device
find . -name '*.tdz' | sort
#> ./tree/.hidden.tdz
#> ./tree/a.tdz
#> ./tree/deep/b.tdz
#> ./tree/deep/deeper/c.tdz
#> ./tree/packed.tdz
show tdz -r tree/a
#> $ tdz -r tree/a
#> tdz: tree/a: tree/a.tdz exists; -f replaces it
#> tdz: 0 of 1 file
#> tdz: 1 failed: refused
#> [1]
show tdz tree
#> $ tdz tree
#> tdz: tree: this is a folder; use -r to go through it, or pack it with tar -I tdz
#> [1]
show tdz -t -r tree
#> $ tdz -t -r tree
#> tdz: 5 files: good, 4.88 KiB
#> tdz: 5 skipped: the name does not end in .tdz
#> tdz: 3 skipped: a link, pipe, socket or device
show tdz -r outside/d tree/empty
#> $ tdz -r outside/d tree/empty
#> tdz: 1 file: * -> *
