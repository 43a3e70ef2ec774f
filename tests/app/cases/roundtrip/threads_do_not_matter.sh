# SPDX-License-Identifier: Apache-2.0
numbers 200000 >data
without_time() { sed -E 's/"seconds":[^,]*,//; s/"threads":[0-9]*,//' "$1"; }
for threads in 1 3 64; do
  tdz roundtrip -T$threads --chunk 64KiB --orders 0-3 --json data >$threads
done
cmp <(without_time 1) <(without_time 3)
cmp <(without_time 1) <(without_time 64)
