# SPDX-License-Identifier: Apache-2.0
need_strace
noise 4000000 >data
tdz --chunk 64KiB data
strace -f -qqq -e trace=read,pread64 -o ../calls tdz -T1 -dc --range 3000000:9 data.tdz >out
read_bytes=$(sed -n 's/.*) *= \([0-9]*\)$/\1/p' ../calls | awk '{ sum += $1 } END { print sum }')
[ "$read_bytes" -lt 400000 ] || fail "$read_bytes bytes were read"
head -c 3000009 data | tail -c 9 | cmp - out
only data data.tdz out
