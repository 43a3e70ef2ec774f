# SPDX-License-Identifier: Apache-2.0
# Packed groups are measured as the other layouts are: the codec, its stages, and the kernels in both directions.
need python3
sample=$(dirname "$0")/../../samples/stars_u32x3.bin
tdz bench --words 4 --tuples 1,3 --orders 0-1 --layouts planes,packed --time 0.2 --size 256KiB --format json "$sample" >report.json
python3 - <<'PY'
import json
report = json.load(open("report.json"))
packed = [cell for cell in report["codec"] if cell["layout"] == "packed"]
assert [(cell["tuple"], cell["order"]) for cell in packed] == [(1, 0), (3, 0), (1, 1), (3, 1)], packed
assert len(report["codec"]) == 7  # order 0 has one cell of planes
for cell in packed:
    assert cell["fault"] is None
    for stage in ("digest", "difference", "pack", "unpack", "integrate"):
        assert cell["stages"][stage]["runs"] > 0, cell
assert packed[3]["ratio"] > 1.1 and packed[3]["ratio"] > packed[1]["ratio"], packed
kernels = [(scan["tuple"], scan["direction"]) for scan in report["scans"] if scan["layout"] == "packed"]
assert sorted(kernels) == [(t, d) for t in (1, 3) for d in ("difference", "integrate")], kernels
assert all(scan["fault"] is None and scan["kernel"]["runs"] > 0 for scan in report["scans"])
PY
