# SPDX-License-Identifier: Apache-2.0
# As gzip and xz do: the file is left alone, and the exit code is not 0.
numbers 1000 | tee a b >c
tdz -q a b
show tdz a.tdz
#> $ tdz a.tdz
#> tdz: a.tdz: skipped, because the name already ends in .tdz; -d restores it, -f compresses it again
#> [1]
show tdz -q --rm a.tdz b.tdz c
#> $ tdz -q --rm a.tdz b.tdz c
#> tdz: a.tdz: skipped, because the name already ends in .tdz; -d restores it, -f compresses it again
#> tdz: b.tdz: skipped, because the name already ends in .tdz; -d restores it, -f compresses it again
#> [1]
only a a.tdz b b.tdz c.tdz
show tdz compress --output-dir out a.tdz
#> $ tdz compress --output-dir out a.tdz
#> tdz: a.tdz: skipped, because the name already ends in .tdz; -d restores it, -f compresses it again
#> [1]
rmdir out
show tdz --filelist - < <(printf 'a.tdz\n')
#> $ tdz --filelist -
#> tdz: a.tdz: skipped, because the name already ends in .tdz; -d restores it, -f compresses it again
#> tdz: 0 of 1 file
#> tdz: 1 failed: refused
#> [1]
# What is no result, although it has such a name.
show tdz missing.tdz
#> $ tdz missing.tdz
#> tdz: missing.tdz: No such file or directory
#> [3]
mkdir folder.tdz
show tdz folder.tdz
#> $ tdz folder.tdz
#> tdz: folder.tdz: this is a folder; use -r to go through it, or pack it with tar -I tdz
#> [1]
rmdir folder.tdz
only a a.tdz b b.tdz c.tdz
# It is meant.
tdz -q -c a.tdz | tdz -dc | cmp - a.tdz
tdz -q -o twice a.tdz
tdz <a.tdz | cmp - <(tdz -c - <a.tdz)
show tdz -f a.tdz
#> $ tdz -f a.tdz
#> tdz: a.tdz: the name already ends in .tdz; it was compressed again
only a a.tdz a.tdz.tdz b b.tdz c.tdz twice
