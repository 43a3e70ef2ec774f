# SPDX-License-Identifier: Apache-2.0
numbers 200000 >data
tdz --chunk 64KiB --type u16 data
size=$(stat -c %s data.tdz)
for at in 0 5 8 40 100 170 300 1000 "$((size / 2))" "$((size - 100))" "$((size - 1))"; do
  cp data.tdz bad.tdz
  printf '\xA7\x5E' | dd of=bad.tdz bs=1 seek="$at" conv=notrunc status=none
  code=0
  tdz -dc bad.tdz >out 2>/dev/null || code=$?
  [ $code -eq 2 ] || [ $code -eq 4 ] || fail "byte $at: exit code $code"
  cmp -n "$(stat -c %s out)" out data || fail "byte $at: wrong bytes were written"
  exits $code tdz -d bad.tdz
  exits $code tdz -t bad.tdz
done
rm out
only data data.tdz bad.tdz
