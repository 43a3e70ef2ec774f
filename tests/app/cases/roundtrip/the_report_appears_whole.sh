# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Its place is taken before the work begins, and an old report stays until the new one is whole.
numbers 60000 >data
grid=(--words 2 --tuples 1 --orders 1-2)
tdz roundtrip "${grid[@]}" -o report data
tail -n 1 report
echo old >report
show tdz roundtrip "${grid[@]}" -o report data
[ "$(cat report)" = old ] || fail "it was replaced"
tdz roundtrip -q "${grid[@]}" -f -o report data
tail -n 1 report
# Nothing is read where nothing could be written.
show tdz roundtrip -o /nowhere/report missing
[ -w /dev/full ] || skip "no /dev/full here"
exits 3 tdz roundtrip "${grid[@]}" -o /dev/full data
exits 3 bash -c 'tdz roundtrip --words 1 --orders 1 data >/dev/full'
only data report
