# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2086
numbers 9000000 >data
# The command that analyze prints writes the same bytes as the options that it was given.
repeats() {
  local command
  command=$(tdz analyze "$@" data | tail -n 1)
  tdz -c "$@" data >chosen
  tdz -c ${command#*tdz } >asked
  cmp chosen asked || fail "$* and $command wrote different bytes"
}
# A difference over rows only, in front of planes of another tuple.
repeats --word 1 --tuple 3 --order 0 --row 300 --zigzag on --layout tuple-planes
tdz analyze --word 1 --tuple 3 --order 0 --row 300 --zigzag on --layout tuple-planes data | tail -n 1
# Longer chunks.
repeats --best --word 2 --tuple 1 --order 1 --zigzag on --layout planes
tdz analyze --best --word 2 --order 1 --zigzag on --layout planes data | grep -c 'packed again at level 16, and that decided'
tdz analyze data | grep -c 'packed again as one chunk, and that decided'
#>   tdz --word 1 --tuple 3 --order 0 --zigzag on --layout tuple-planes --row 300 --level 3 data
#> 1
#> 1
