# SPDX-License-Identifier: Apache-2.0
# The digest of the whole original decides nothing: END has another one here, under a right check. Only --sum compares it.
need xxhsum
need python3
xxhsum -H3 </dev/null >/dev/null 2>&1 || skip "xxhsum is too old"
numbers 300000 >data
tdz --chunk 64KiB data
tdz -t --sum data.tdz
head -c -104 data.tdz >other.tdz
{ tail -c 104 data.tdz | head -c 72; head -c 16 /dev/zero; tail -c 16 data.tdz | head -c 8; } >end
check=$(xxhsum -q -H3 <end | grep -oE '[0-9a-f]{16}')
{ cat end; python3 -c 'import sys; sys.stdout.buffer.write(bytes.fromhex(sys.argv[1])[::-1])' "$check"; } >>other.tdz
tdz -t other.tdz
tdz -dc other.tdz | cmp - data
show tdz verify --sum other.tdz
#> $ tdz verify --sum other.tdz
#> tdz: other.tdz: *
#> tdz: to save what is left: tdz recover other.tdz -o OUT
#> [2]
