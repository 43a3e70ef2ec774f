# SPDX-License-Identifier: Apache-2.0
# The target is opened before the work begins, and an old report stays until the new one is complete.
numbers 60000 >data
grid=(--words 2 --tuples 1 --orders 1-2)
tdz roundtrip "${grid[@]}" -o report data
tail -n 1 report
echo old >report
#> 8 cells, 8 passed, 0 failed
show tdz roundtrip "${grid[@]}" -o report data
#> $ tdz roundtrip --words 2 --tuples 1 --orders 1-2 -o report data
#> tdz: report exists; -f replaces it
#> [1]
[ "$(cat report)" = old ] || fail "it was replaced"
tdz roundtrip -q "${grid[@]}" -f -o report data
tail -n 1 report
#> 8 cells, 8 passed, 0 failed
# Without a place for the report, nothing is read.
show tdz roundtrip -o /nowhere/report missing
#> $ tdz roundtrip -o /nowhere/report missing
#> tdz: opening the folder /nowhere: No such file or directory
#> [3]
[ -w /dev/full ] || skip "no /dev/full here"
exits 3 tdz roundtrip "${grid[@]}" -o /dev/full data
exits 3 bash -c 'tdz roundtrip --words 1 --orders 1 data >/dev/full'
only data report
#! tdz: 8 cells, 8 passed, 0 failed
