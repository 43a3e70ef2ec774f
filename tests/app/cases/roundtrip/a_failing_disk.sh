# SPDX-License-Identifier: Apache-2.0
# Reading fails in the middle: the cells are incomplete, not passed.
need_strace
numbers 200000 >data
reads=$(strace -f -qqq -e trace=read -e 'signal=none' -P data tdz roundtrip -T1 --chunk 64KiB --words 2 --orders 1 data 2>&1 >/dev/null | grep -c 'read(')
[ "$reads" -ge 4 ] || fail "$reads reads"
code=0
strace -f -qqq -o /dev/null -P data -e inject=read:error=EIO:when=3 tdz roundtrip -T1 --chunk 64KiB --backends cpu --words 2 --tuples 1 --orders 1 data >out 2>said || code=$?
[ $code -eq 3 ] || fail "exit code $code"
grep -q 'Input/output error' said || fail "$(cat said)"
sed 's/^cpu: .*/cpu/' out
#> data: 131072 bytes in 2 chunks, incomplete: Input/output error
#> word  layout        cells  passed  failed  incomplete
#>    2  interleaved       1       0       0           1
#>    2  planes            1       0       0           1
#>    2  bit-planes        1       0       0           1
#>    2  packed            1       0       0           1
#>
#> cpu
#> 4 cells, 0 passed, 0 failed, 4 incomplete
