# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2086
# The choice is said in words, column by column; it stands in the list with its ratio; and the command gives its steps.
need python3
python3 - <<'END' >data
import random, struct, sys
chance = random.Random(1)
time, price = 0, 100.0
for row in range(40000):
    time += 1000000 + chance.randrange(-3000, 3001)
    price += chance.randrange(-5, 6) / 100
    shown = round(price, 2) if row % 250 else float('nan')
    sys.stdout.buffer.write(struct.pack('<Qf', time, shown))
END
# No list of candidates is made for columns that the caller names.
tdz analyze --type u64,f32 data >table
[ "$(grep -c candidates table || true)" = 0 ] || fail 'a list without candidates'
grep 'column 1, u64: ' table | grep -c 'difference of order 1 to the number before'
grep -c 'column 2, f32: multiples of .*, 0.4 % holes; ' table
tdz analyze data >report
grep -c ' (chosen)$' report
command=$(tail -n 1 report)
tdz -c data >chosen
tdz -c ${command#*tdz } >asked
same chosen asked
grep -c 'No options name these steps. This command finds them by itself:' report
#> 1
#> 1
#> 1
#> 1
