# SPDX-License-Identifier: Apache-2.0
# --fastest: what it writes comes back, from files and pipes, and its bytes do not depend on threads.
samples=$(dirname "$0")/../../samples
cp "$samples"/*.bin .
numbers 300000 >text
noise 300000 >data
: >empty
printf x >one
for file in *.bin text data empty one; do
  tdz --fastest -c -T1 "$file" >"$file.1"
  tdz --fastest -c -T4 "$file" >"$file.4"
  same "$file.1" "$file.4"
  tdz verify --sum "$file.1"
  tdz -dc "$file.1" | cmp - "$file" || fail "$file"
  tdz --fastest <"$file" >piped.tdz
  tdz -d <piped.tdz | cmp - "$file" || fail "$file through pipes"
  tdz --fastest --chunk 64KiB -c "$file" | tdz -dc -T4 | cmp - "$file" || fail "$file in short chunks"
  stored=$(wc -c <"$file.1") original=$(wc -c <"$file")
  [ "$stored" -le $((original + 700)) ] || fail "$file: $stored bytes of $original"
done
# It packs, and says what it did.
tdz info audio_i16x1.bin.1 | tail -n 1
tdz info -v audio_i16x1.bin.1 | grep -o 'format 1\.1'
tdz info -v data.1 | grep -o 'format 1\.0'
tdz info --json audio_i16x1.bin.1 | grep -o '"format_version": *"[^"]*"' | tr -d ' '
#>    ??? KiB    512 KiB *         1  w16       *, zigzag, packed(1) * audio_i16x1.bin.1
#> format 1.1
#> format 1.0
#> "format_version":"1.1"
