# SPDX-License-Identifier: Apache-2.0
mkdir tree
numbers 1000 | tee tree/a tree/b tree/c tree/d.tmp >tree/e.tdz
tdz -q tree/a tree/c
head -c 500 tree/a.tdz >tree/cut.tdz
ln -s a tree/link
show tdz -r tree missing --exclude '*.tmp' --skip-existing
#> $ tdz -r tree missing --exclude *.tmp --skip-existing
#> tdz: missing: No such file or directory
#> tdz: 1 of 2 files: 1000 B -> *, ratio *
#> tdz: 1 failed: reading or writing
#> tdz: 2 skipped: the target exists
#> tdz: 1 skipped: excluded by --exclude
#> tdz: 4 skipped: the name already ends in .tdz
#> tdz: 1 skipped: a link, pipe, socket or device
#> [3]
show tdz -d -r tree --output-dir ../back --exclude '[bd]*'
#> $ tdz -d -r tree --output-dir ../back --exclude [bd]*
#> tdz: tree/cut.tdz: the input ends too early; the end of this file is missing (at byte 500)
#> tdz: to save what is left: tdz recover tree/cut.tdz -o OUT
#> tdz: tree/e.tdz: this is not a tdz file, or its header is damaged; if it was one, try tdz recover (at byte 0)
#> tdz: 2 of 4 files: * -> *
#> tdz: 1 failed: corrupt, or not a tdz file
#> tdz: 1 failed: truncated
#> tdz: 3 skipped: excluded by --exclude
#> tdz: 2 skipped: the name does not end in .tdz
#> tdz: 1 skipped: a link, pipe, socket or device
#> [2]
show tdz -t tree/a.tdz tree/cut.tdz tree/e.tdz tree missing
#> $ tdz -t tree/a.tdz tree/cut.tdz tree/e.tdz tree missing
#> tdz: tree/cut.tdz: the input ends too early; the end of this file is missing (at byte 500)
#> tdz: to save what is left: tdz recover tree/cut.tdz -o OUT
#> tdz: tree/e.tdz: this is not a tdz file, or its header is damaged; if it was one, try tdz recover (at byte 0)
#> tdz: tree: this is a folder; use -r to go through it, or pack it with tar -I tdz
#> tdz: missing: No such file or directory
#> tdz: 1 of 5 files: good, 1000 B
#> tdz: 1 failed: refused
#> tdz: 1 failed: corrupt, or not a tdz file
#> tdz: 1 failed: truncated
#> tdz: 1 failed: reading or writing
#> [3]
show tdz -q -t -r tree
#> $ tdz -q -t -r tree
#> tdz: tree/cut.tdz: the input ends too early; the end of this file is missing (at byte 500)
#> tdz: tree/e.tdz: this is not a tdz file, or its header is damaged; if it was one, try tdz recover (at byte 0)
#> [2]
show tdz -r tree/c.tdz
#> $ tdz -r tree/c.tdz
#> tdz: tree/c.tdz: skipped, because the name already ends in .tdz; -d restores it, -f compresses it again
#> tdz: 0 of 1 file
#> tdz: 1 failed: refused
#> [1]
mkdir empty
show tdz -r empty
#> $ tdz -r empty
#> tdz: 0 files
