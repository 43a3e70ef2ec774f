# SPDX-License-Identifier: Apache-2.0
need xxhsum
numbers 300000 >data
tdz --type u16x1 --order 1 --zigzag on --layout tuple-planes --chunk 64KiB data
[ "$(tdz info --sum data.tdz | tail -n 1 | grep -oE '[0-9a-f]{32}')" = "$(xxhsum -q -H2 data | cut -d ' ' -f 1)" ] || fail "file"
xxhsum -H3 </dev/null >/dev/null 2>&1 || exit 0
[ "$(tdz info --chunks data.tdz | sed -n 4p | grep -oE '[0-9a-f]{16}')" = "$(head -c 65536 data | xxhsum -q -H3 | grep -oE '[0-9a-f]{16}')" ] ||
  fail "chunk"
