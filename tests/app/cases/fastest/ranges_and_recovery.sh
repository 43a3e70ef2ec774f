# SPDX-License-Identifier: Apache-2.0
# A part of the original, also in values; and what a hole leaves.
samples=$(dirname "$0")/../../samples
cp "$samples/audio_i16x1.bin" data
tdz --fastest --type i16 --chunk 64KiB data
for range in 0:1 70000:5 65535:2 100000: 30000v:1000v; do
  case $range in
    *v) begin=60000 length=2000 ;;
    *:) begin=${range%:*} length=999999999 ;;
    *) begin=${range%:*} length=${range#*:} ;;
  esac
  tdz -dc --range $range data.tdz >part
  cmp <(tail -c +$((begin + 1)) data | head -c "$length") part || fail "range $range"
done
cp data.tdz hurt.tdz
printf XXXXXXXX | dd of=hurt.tdz bs=1 seek=70000 conv=notrunc status=none
exits 2 tdz verify hurt.tdz
show tdz recover -q hurt.tdz -o rescued --map map
[ "$(wc -c <rescued)" -eq "$(wc -c <data)" ] || fail "another length"
tr -d ' \n' <map | grep -c '"length":65536'
{ cmp data rescued || true; } | grep -c differ
#> $ tdz recover -q hurt.tdz -o rescued --map map
#> tdz: hurt.tdz: incomplete: 448 KiB recovered, 1 range is missing
#> [2]
#> 1
#> 1
