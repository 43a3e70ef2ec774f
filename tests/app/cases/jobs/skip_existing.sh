# SPDX-License-Identifier: Apache-2.0
numbers 1000 | tee a b >c
tdz -q b
touch -d 2001-01-01 b.tdz
ln -s nowhere c.tdz
show tdz --skip-existing --rm a b c
#> $ tdz --skip-existing --rm a b c
#> tdz: c: c.tdz exists; -f replaces it
#> tdz: 1 of 2 files: * -> *
#> tdz: 1 failed: refused
#> tdz: 1 skipped: the target exists
#> [1]
only a.tdz b b.tdz c c.tdz
[ "$(stat -c %Y b.tdz)" -eq 978307200 ] || fail "written again"
show tdz -v -d --skip-existing a.tdz b.tdz
#> $ tdz -v -d --skip-existing a.tdz b.tdz
#> tdz: a.tdz -> a: * -> *
#> tdz: b.tdz: skipped: the target exists
#> tdz: 1 file: * -> *
#> tdz: 1 skipped: the target exists
show tdz --skip-existing b -o b.tdz
#> $ tdz --skip-existing b -o b.tdz
show tdz -q --skip-existing b.tdz missing
#> $ tdz -q --skip-existing b.tdz missing
#> tdz: b.tdz: skipped, because the name already ends in .tdz; -d restores it, -f compresses it again
#> tdz: missing: No such file or directory
#> [3]
rm b.tdz
mkdir b.tdz
show tdz --skip-existing b
#> $ tdz --skip-existing b
#> tdz: b: b.tdz is a folder; name a file
#> [1]

# A link below the output folder is not followed, and is not a result.
mkdir -p data real
numbers 1000 >data/x
tdz -q -o real/x.tdz data/x
mkdir out
ln -s ../real out/data
show tdz -q -r data --skip-existing --output-dir out
#> $ tdz -q -r data --skip-existing --output-dir out
#> tdz: data/x: out/data is a symbolic link or not a folder; tdz writes nothing there
#> [1]
rm out/data
mkdir out/data
ln -s ../../data/x out/data/x.tdz
show tdz -q -r data --skip-existing --output-dir out
#> $ tdz -q -r data --skip-existing --output-dir out
#> tdz: data/x: input and output are the same file
#> [1]
rm out/data/x.tdz
tdz -q -r data --skip-existing --output-dir out
show tdz -r data --skip-existing --output-dir out
#> $ tdz -r data --skip-existing --output-dir out
#> tdz: 0 files
#> tdz: 1 skipped: the target exists
numbers 10 >y
show tdz --skip-existing -o x <y
#> $ tdz --skip-existing -o x
#> tdz: --skip-existing could leave standard input unread; name the source files
#> [1]
