# SPDX-License-Identifier: Apache-2.0
numbers 3000000 >data
tdz --type u32 --chunk 64KiB -T1 -c data >one
for threads in 0 2 5; do
  tdz --type u32 --chunk 64KiB -T $threads -c data | cmp - one
  tdz -d -T$threads -c one | cmp - data
done
