# SPDX-License-Identifier: Apache-2.0
# The notes are those of FORMAT.md, section 5: a model in Python makes each of them again.
python=python3
has_xxhash() { command -v "$python" >/dev/null && "$python" -c 'import xxhash' 2>/dev/null; }
has_xxhash || python=/usr/bin/python3
has_xxhash || skip "Python has no xxhash"
model=$(dirname "$0")/../model/parity.py
: >empty
noise 1 >one
noise 300000 >short
noise 2500000 >longer
for file in empty one short longer; do
  tdz --protect 7 --chunk 64KiB "$file"
  "$python" -B "$model" "$file.tdz"
done
#> 1 areas, all as FORMAT.md says
#> 1 areas, all as FORMAT.md says
#> 1 areas, all as FORMAT.md says
#> 1 areas, all as FORMAT.md says
cat longer.tdz one.tdz >both.tdz
tdz protect --protect 100 both.tdz
"$python" -B "$model" both.tdz
#> 2 areas, all as FORMAT.md says
