# SPDX-License-Identifier: Apache-2.0
numbers 1000 | tee a >b
mkdir tree
show tdz -r
#> $ tdz -r
#> tdz: -r needs the name of a folder; for the current folder, use .
#> [1]
show tdz -r tree -o out
#> $ tdz -r tree -o out
#> tdz: -o names one result, but there may be several files; use --output-dir
#> [1]
show tdz --filelist - -o out
#> $ tdz --filelist - -o out
#> tdz: -o names one result, but there may be several files; use --output-dir
#> [1]
show tdz --filelist - - </dev/null
#> $ tdz --filelist - -
#> tdz: standard input is already a list of names; it cannot be read a second time
#> [1]
show tdz --filelist - --filelist0 - </dev/null
#> $ tdz --filelist - --filelist0 -
#> tdz: standard input is already a list of names; it cannot be read a second time
#> [1]
show tdz a --output-dir out -o b
#> $ tdz a --output-dir out -o b
#> tdz: --output-dir does not go with -o or -c; give only one of them
#> [1]
show tdz a --output-dir out -c
#> $ tdz a --output-dir out -c
#> tdz: --output-dir does not go with -o or -c; give only one of them
#> [1]
show tdz a --skip-existing -f
#> $ tdz a --skip-existing -f
#> tdz: --skip-existing and -f exclude each other; give only one of them
#> [1]
show tdz a --skip-existing -c
#> $ tdz a --skip-existing -c
#> tdz: --skip-existing looks for the target by its name, but standard output has no name
#> [1]
show tdz a --output-dir ''
#> $ tdz a --output-dir *
#> tdz: --output-dir '': a file name must not be empty
#> [1]
show tdz a --filelist
#> $ tdz a --filelist
#> tdz: --filelist needs a value; see tdz --help
#> [1]
show tdz -d -r tree --range 0:5
#> $ tdz -d -r tree --range 0:5
#> tdz: --range restores only a part; name the result with -o FILE, or use -c
#> [1]
show tdz bench -r tree
#> $ tdz bench -r tree
#> tdz: -r is not an option of bench; see tdz bench --help
#> [1]
show tdz recover -r tree -o out
#> $ tdz recover -r tree -o out
#> tdz: -r is not an option of recover; see tdz recover --help
#> [1]
only a b tree
