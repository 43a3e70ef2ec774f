# SPDX-License-Identifier: Apache-2.0
numbers 100000 >a
numbers 200000 >c
tdz -q a c
cp a a.kept
rm a c
echo 'no numbers' >b.tdz
show tdz -d a.tdz b.tdz missing.tdz c.tdz
#> $ tdz -d a.tdz b.tdz missing.tdz c.tdz
#> tdz: b.tdz: this is not a tdz file, or its header is damaged; if it was one, try tdz recover (at byte 0)
#> tdz: missing.tdz: No such file or directory
#> tdz: 2 of 4 files: * -> 293 KiB
#> tdz: 1 failed: corrupt, or not a tdz file
#> tdz: 1 failed: reading or writing
#> [3]
same a a.kept
show tdz -t a.tdz b.tdz c.tdz
#> $ tdz -t a.tdz b.tdz c.tdz
#> tdz: b.tdz: this is not a tdz file, or its header is damaged; if it was one, try tdz recover (at byte 0)
#> tdz: 2 of 3 files: good, 293 KiB
#> tdz: 1 failed: corrupt, or not a tdz file
#> [2]
show tdz -q -t b.tdz c.tdz
#> $ tdz -q -t b.tdz c.tdz
#> tdz: b.tdz: this is not a tdz file, or its header is damaged; if it was one, try tdz recover (at byte 0)
#> [2]
show tdz a.kept missing c
#> $ tdz a.kept missing c
#> tdz: missing: No such file or directory
#> tdz: c: c.tdz exists; -f replaces it
#> tdz: 1 of 3 files: 97.7 KiB -> *, ratio *
#> tdz: 1 failed: refused
#> tdz: 1 failed: reading or writing
#> [3]
