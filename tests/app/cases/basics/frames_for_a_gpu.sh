# SPDX-License-Identifier: Apache-2.0
need python3
python3 -c 'import array, random
random.seed(1)
def walk(name, step):
    values, x = array.array("i"), 0
    for _ in range(400000):
        x += step()
        values.append(x)
    open(name, "wb").write(values.tobytes())
walk("data", lambda: random.randrange(-3000, 3000) if random.random() < 0.1 else random.randrange(-8, 8))
walk("even", lambda: random.randrange(-3000, 3000))'
tdz --gpu -v data 2>&1 | grep -c ', frames for a GPU$'
tdz info data.tdz | grep -c '; frames for a GPU'
tdz info --json data.tdz | grep -c '"uniform":true'
tdz analyze --gpu data | grep -c '^  chosen .*; frames for a GPU$'
tdz -dc data.tdz | cmp - data
# Any zstd reads them.
if command -v zstd >/dev/null; then zstd -qt data.tdz || fail "zstd refuses frames for a GPU"; fi
# Steps of one size: packed groups are hardly larger, and a GPU decodes them faster.
tdz --gpu -v even 2>&1 | grep -c ', frames for a GPU$'
tdz info even.tdz | grep -c 'in runs of [0-9]*, zigzag, packed(1)'
tdz -dc even.tdz | cmp - even
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
#> 1
#> 1
