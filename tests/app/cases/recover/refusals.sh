# SPDX-License-Identifier: Apache-2.0
numbers 5000 >data
tdz data
: >map
show tdz recover data.tdz
#> $ tdz recover data.tdz
#> tdz: recover needs to know where the result goes; use -o FILE or -c
#> [1]
show tdz recover data.tdz data -o out
#> $ tdz recover data.tdz data -o out
#> tdz: recover takes only one FILE
#> [1]
show tdz recover data.tdz -o data
#> $ tdz recover data.tdz -o data
#> tdz: data.tdz: data exists; -f replaces it
#> [1]
show tdz recover data.tdz -o out --map map
#> $ tdz recover data.tdz -o out --map map
#> tdz: data.tdz: map exists; -f replaces it
#> [1]
show tdz recover data.tdz -o out --fill maybe
#> $ tdz recover data.tdz -o out --fill maybe
#> tdz: --fill maybe: expected one of zero, skip
#> [1]
show tdz recover data -o out
#> $ tdz recover data -o out
#> tdz: data: this file contains no intact chunk of a tdz stream
#> [2]
show tdz recover missing -o out
#> $ tdz recover missing -o out
#> tdz: missing: No such file or directory
#> [3]
cat data.tdz | show tdz recover - -o out
#> $ tdz recover - -o out
#> tdz: (stdin): recover needs a regular file that is not empty; save a pipe to a file first
#> [1]
show tdz recover data.tdz -o data.tdz -f
#> $ tdz recover data.tdz -o data.tdz -f
#> tdz: data.tdz: input and output are the same file
#> [1]
show tdz recover data.tdz -o data --map map -f
#> $ tdz recover data.tdz -o data --map map -f
#> tdz: data.tdz -> data: 4.88 KiB recovered, nothing is missing
cp data.tdz copy.tdz
show tdz recover -f copy.tdz -o out --map copy.tdz
#> $ tdz recover -f copy.tdz -o out --map copy.tdz
#> tdz: copy.tdz: copy.tdz is a source or the log of this run and would be overwritten; name another file
#> [1]
show tdz recover -f copy.tdz -o out --map ./out
#> $ tdz recover -f copy.tdz -o out --map ./out
#> tdz: copy.tdz: --map and -o name the same file, ./out
#> [1]
show tdz recover -f copy.tdz -o data --map data
#> $ tdz recover -f copy.tdz -o data --map data
#> tdz: copy.tdz: --map and -o name the same file, data
#> [1]
show tdz recover copy.tdz -o out --map none/map
#> $ tdz recover copy.tdz -o out --map none/map
#> tdz: copy.tdz: opening the folder none: No such file or directory
#> [3]
show tdz recover copy.tdz -o out --map -
#> $ tdz recover copy.tdz -o out --map -
#> tdz: --map needs a file name; standard output is not possible
#> [1]
same data.tdz copy.tdz
mkfifo pipe
cat pipe >../map &
tdz recover -q -f copy.tdz -o data --map pipe
wait $!
grep -q tdz-recover/1 ../map || fail "$(cat ../map)"
[ -p pipe ] || fail "the pipe was replaced"
only data data.tdz copy.tdz pipe map
