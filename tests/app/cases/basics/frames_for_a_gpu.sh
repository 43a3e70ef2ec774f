# SPDX-License-Identifier: Apache-2.0
need python3
python3 -c 'import array, random
random.seed(1)
values, x = array.array("i"), 0
for _ in range(400000):
    x += random.randrange(-3000, 3000)
    values.append(x)
open("data", "wb").write(values.tobytes())'
tdz --gpu -v data 2>&1 | grep -c ', frames for a GPU$'
tdz info data.tdz | grep -c '; frames for a GPU'
tdz info --json data.tdz | grep -c '"uniform":true'
tdz analyze --gpu data | grep -c '^  chosen .*; frames for a GPU$'
tdz -dc data.tdz | cmp - data
# Any zstd reads them.
if command -v zstd >/dev/null; then zstd -qt data.tdz || fail "zstd refuses frames for a GPU"; fi
# Text has no numbers.
yes 'the number of rows is not known' | head -c 300000 >text || true
tdz --gpu -v text 2>&1 | grep -c ', general frames$'
tdz analyze --gpu text | grep -c 'General frames: '
#> 1
#> 1
#> 1
#> 1
#> 1
#> 1
