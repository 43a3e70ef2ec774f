# SPDX-License-Identifier: Apache-2.0
# The system states 4096 bytes for a file in /sys and none for one in /proc. They are read to their end.
tried=0
for file in /sys/kernel/mm/transparent_hugepage/enabled /sys/kernel/vmcoreinfo /sys/module/*/parameters/* /proc/version; do
  [ -f "$file" ] && cat "$file" >content 2>/dev/null && [ "$(stat -c %s content)" -ge 2 ] || continue
  [ "$(stat -c %s "$file")" -ne "$(stat -c %s content)" ] || continue
  cat "$file" 2>/dev/null | cmp -s - content || continue
  tried=$((tried + 1))
  [ $tried -le 3 ] || [ "$file" = /proc/version ] || continue
  tdz -c "$file" | tdz -dc | cmp - content
  tdz -f "$file" -o packed --verify --chunk 64KiB
  tdz -dc packed | cmp - content
  tdz <"$file" | tdz -dc | cmp - content
  tdz -d -c --range 1:1 packed | cmp - <(tail -c +2 content | head -c 1)
  exits 2 tdz -t "$file"
  exits 2 tdz info "$file"
  { tdz info "$file" 2>&1 || true; } | grep -q 'not a tdz file' || fail "info of $file"
  tdz analyze "$file" >/dev/null
  tdz roundtrip -q --words 2 --tuples 1 --orders 1 "$file" >/dev/null
  exits 2 tdz recover "$file" -o none
  exits 0 tdz bench --backends cpu --words 1 --tuples 1 --orders 0 --time 1 --type u8 "$file"
  rm -f packed
done
[ $tried -gt 0 ] || skip "no file of wrong size can be read here"
