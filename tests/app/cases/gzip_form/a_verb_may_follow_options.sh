# SPDX-License-Identifier: Apache-2.0
# No file has the name of the verb, so nothing is compressed.
numbers 1000 >data
tdz data
show tdz -v verify data.tdz
#> $ tdz -v verify data.tdz
#> tdz: data.tdz: good, 1000 B
show tdz -T 2 --memory 1G -v decompress data.tdz -o copy
#> $ tdz -T 2 --memory 1G -v decompress data.tdz -o copy
#> tdz: data.tdz -> copy: * -> 1000 B
same data copy
[ "$(tdz -q info data.tdz)" = "$(tdz info data.tdz)" ] || fail "info"
# The value of an option is not the verb, whichever verb has the option.
tdz --words 2 --size 64K --time 0.1 --orders 1 --format csv -o verify bench data
grep -q ^codec verify || fail "bench"
show tdz -f -o info verify
#> $ tdz -f -o info verify
only data data.tdz copy verify info
rm verify info
show tdz -o out verify data.tdz
#> $ tdz -o out verify data.tdz
#> tdz: -o is not an option of verify; see tdz verify --help
#> [1]
show tdz -d info data.tdz
#> $ tdz -d info data.tdz
#> tdz: -d is not an option of info; see tdz info --help
#> [1]
show tdz -v -- verify
#> $ tdz -v -- verify
#> tdz: verify: No such file or directory
#> [3]
only data data.tdz copy

# A file of this name is the file; with other files beside it, a line says how it was read.
numbers 1000 >verify
show tdz -9 verify data.tdz
#> $ tdz -9 verify data.tdz
#> tdz: verify is read as a file; a verb is the first word
#> tdz: data.tdz: skipped, because the name already ends in .tdz; -d restores it, -f compresses it again
#> tdz: 1 of 2 files: 1000 B -> *, ratio *
#> tdz: 1 failed: refused
#> [1]
only data data.tdz copy verify verify.tdz
