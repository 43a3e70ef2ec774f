# SPDX-License-Identifier: Apache-2.0
# A kernel is wrong in one cell: that cell of the codec and that cell of the kernels are wrong, and no other.
numbers 60000 >data
for fault in forward inverse; do
  code=0
  TDZ_BROKEN=cpu-$fault tdz bench --words 2,4 --tuples 2-3 --orders 4-5 --layouts interleaved,planes --time 0.1 --size 64KiB \
    --format json data >report.json 2>said || code=$?
  [ $code -eq 2 ] || fail "$fault: exit code $code"
  grep -q 'of the measured cells gave wrong bytes' said || fail "$(cat said)"
  python3 - $fault <<'PY'
import json
import sys
report = json.load(open("report.json"))
def wrong(kind):
    return [(c["word"], c["tuple"], c["order"], c["layout"]) for c in report[kind] if c["fault"]]
cell = (4, 3, 5, "planes")
assert wrong("codec") == [cell], wrong("codec")
assert set(wrong("scans")) == {cell}, wrong("scans")
PY
  exits 2 env TDZ_BROKEN=cpu-$fault tdz bench --words 4 --tuples 3 --orders 5 --layouts planes --time 0.1 --size 64KiB -o table data
  grep -q WRONG table || fail "$fault: the table does not show it"
  rm table
done
