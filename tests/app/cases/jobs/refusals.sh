# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
numbers 1000 | tee a >b
mkdir tree
show tdz -r
#> $ tdz -r
#> tdz: -r needs a folder to go through; the one you are in is .
#> [1]
show tdz -r tree -o out
#> $ tdz -r tree -o out
#> tdz: -o names one result, but there may be several files
#> [1]
show tdz --filelist - -o out
#> $ tdz --filelist - -o out
#> tdz: -o names one result, but there may be several files
#> [1]
show tdz --filelist - - </dev/null
#> $ tdz --filelist - -
#> tdz: standard input is a list of names; it cannot be something else as well
#> [1]
show tdz --filelist - --filelist0 - </dev/null
#> $ tdz --filelist - --filelist0 -
#> tdz: standard input is a list of names; it cannot be something else as well
#> [1]
show tdz a --output-dir out -o b
#> $ tdz a --output-dir out -o b
#> tdz: --output-dir excludes -o and -c
#> [1]
show tdz a --output-dir out -c
#> $ tdz a --output-dir out -c
#> tdz: --output-dir excludes -o and -c
#> [1]
show tdz a --skip-existing -f
#> $ tdz a --skip-existing -f
#> tdz: --skip-existing and -f exclude each other
#> [1]
show tdz a --skip-existing -c
#> $ tdz a --skip-existing -c
#> tdz: --skip-existing goes by names; standard output has none
#> [1]
show tdz a --output-dir ''
#> $ tdz a --output-dir *
#> tdz: --output-dir '': a file's name is not empty
#> [1]
show tdz a --filelist
#> $ tdz a --filelist
#> tdz: --filelist needs a value; see tdz --help
#> [1]
show tdz -d -r tree --range 0:5
#> $ tdz -d -r tree --range 0:5
#> tdz: --range restores a part; say where to with -o FILE or -c
#> [1]
show tdz analyze -r tree
#> $ tdz analyze -r tree
#> tdz: -r does not go with analyze; see tdz analyze --help
#> [1]
show tdz recover -r tree -o out
#> $ tdz recover -r tree -o out
#> tdz: -r does not go with recover; see tdz recover --help
#> [1]
only a b tree
