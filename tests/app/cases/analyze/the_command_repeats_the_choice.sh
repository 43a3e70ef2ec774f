# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2086
numbers 9000000 >data
# The command that analyze prints makes the same steps and chunks as the options that it was given.
repeats() {
  local command
  command=$(tdz analyze "$@" data | tail -n 1)
  tdz -c "$@" data >chosen
  tdz -c ${command#*tdz } >asked
  cmp <(tdz info --chunks chosen | awk '{ $2 = $3 = ""; print }') \
    <(tdz info --chunks asked | awk '{ $2 = $3 = ""; print }') || fail "$* chose other steps than $command"
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
