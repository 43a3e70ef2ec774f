# SPDX-License-Identifier: Apache-2.0
# The kernels of packed groups are wrong in one cell: roundtrip and bench name that cell, and no other.
need python3
sample=$(dirname "$0")/../../samples/stars_u32x3.bin
grid=(--words '2,4' --tuples 2-3 --orders 1-2 --layouts 'planes,packed')
for fault in pack unpack; do
  exits 2 env TDZ_BROKEN=cpu-$fault tdz roundtrip --backends cpu "${grid[@]}" --json -o roundtrip.json "$sample"
  exits 2 env TDZ_BROKEN=cpu-$fault tdz bench "${grid[@]}" --time 0.1 --size 256KiB --format json -o bench.json "$sample"
  python3 - <<'PY'
import json
cell = (4, 3, 1, "packed")
def names(cells):
    return [(c["word"], c["tuple"], c["order"], c["layout"]) for c in cells]
file, = json.load(open("roundtrip.json"))["files"]
assert names(c for c in file["cells"] if c["verdict"] != "passed") == [cell], file["cells"]
assert len(file["cells"]) == 16
report = json.load(open("bench.json"))
assert names(c for c in report["codec"] if c["fault"]) == [cell]
assert names(c for c in report["scans"] if c["fault"]) == [cell, cell]  # both directions
PY
  rm roundtrip.json bench.json
done
