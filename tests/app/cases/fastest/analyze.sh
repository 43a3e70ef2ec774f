# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2086
# The choice is said in words, and the command gives the same bytes.
samples=$(dirname "$0")/../../samples
for name in audio_i16x1 winds_f32x2 relief_i16x1 geoid_f32x1; do
  cp "$samples/$name.bin" .
  tdz analyze --fastest $name.bin >report
  command=$(tail -n 1 report)
  case $command in *--fastest*) ;; *) fail "no --fastest in $command" ;; esac
  case $command in *--level*) fail "a level in $command" ;; esac
  tdz -c --fastest $name.bin >chosen
  tdz -c ${command#*tdz } >asked
  cmp chosen asked || fail "$command writes other bytes"
  grep -c 'groups of 16 numbers, each with the bits of its widest' report
done
# With --gpu nothing is said of frames; there is no level to tell of.
tdz analyze --fastest --gpu audio_i16x1.bin >report
head -n 1 report
exits 1 grep 'General frames' report
tdz analyze --fastest --json audio_i16x1.bin | grep -c '"packed('
noise 100000 >data
tdz analyze --fastest data | tail -n 1
#> 1
#> 1
#> 1
#> 1
#> audio_i16x1.bin: without zstd, chunks of 128 KiB
#> 1
#>   tdz * --fastest data
