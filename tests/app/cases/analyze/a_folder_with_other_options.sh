# SPDX-License-Identifier: Apache-2.0
# An estimate takes the options of compress, and the files that compress would take.
mkdir data
numbers 50000 >data/a.txt
numbers 60000 >data/b.txt
numbers 70000 >data/c.log
# An effort, or a level, that was asked for is the only one.
tdz analyze -r --fast data | sed -n 3p
tdz analyze -r --level 9 data | sed -n 3p
# More threads than cores make nothing quicker, and are not started.
tdz analyze -r --json -T 1024 data | grep -o '"threads":[0-9]*' | {
  IFS=: read -r _ threads
  [ "$threads" -le "$(nproc)" ] || fail "$threads threads"
}
# Lists and patterns.
printf '%s\n' data/a.txt data/c.log >list
tdz analyze --filelist list | sed -n '1s/;.*//p'
tdz analyze -r --exclude '*.log' data | sed -n '1s/;.*//p'
tdz analyze -r data/b.txt data/c.log | sed -n '1s/;.*//p'
# Nothing to do.
mkdir none
tdz analyze -r none
# What is no file.
exits 1 tdz analyze -r - data
exits 1 tdz analyze -r
mkfifo pipe
show tdz analyze -r pipe
show tdz analyze -r missing
# A file that cannot be read is named, and the others are estimated.
code=0
tdz analyze --json -r missing data >out 2>/dev/null || code=$?
[ $code -eq 3 ] || fail "exit code $code"
grep -c '"unread_files":1' out
#>     Files       Size    --fast    Becomes  Compress   Restore  Kind
#>     Files       Size   default    Becomes  Compress   Restore  Kind
#> 2 files, 117 KiB
#> 2 files, 107 KiB
#> 2 files, 127 KiB
#> no files to compress
#> $ tdz analyze -r pipe
#> tdz: pipe: an estimate needs regular files; analyze this one without -r
#> no files to compress
#>   Could not be read, and not in the figures: 1 file: pipe
#> [1]
#> $ tdz analyze -r missing
#> tdz: missing: No such file or directory
#> no files to compress
#>   Could not be read, and not in the figures: 1 file: missing
#> [3]
#> 1
