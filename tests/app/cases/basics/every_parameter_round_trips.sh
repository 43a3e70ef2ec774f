# SPDX-License-Identifier: Apache-2.0
numbers 70001 >data
for word in 1 2 4 8; do
  for layout in interleaved planes tuple-planes bit-planes; do
    for rest in "--order 0 --zigzag off" "--order 1 --tuple 3" "--order 8 --tuple 2 --big-endian --offset 1001"; do
      # shellcheck disable=SC2086
      tdz --word $word --layout $layout $rest -c data | tdz -d | cmp - data || fail "$word $layout $rest"
    done
  done
done
