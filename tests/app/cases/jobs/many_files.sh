# SPDX-License-Identifier: Apache-2.0
# Memory and open files do not grow with the number of files. There are 100000 files with TDZ_TEST_FULL=1.
need python3
python3 - "${TDZ_TEST_FULL:+100000}" <<'PYTHON'
import os, sys
for root, count in (("few", 100), ("many", int(sys.argv[1] or 1000))):
    for i in range(count):
        folder = f"{root}/{i // 500}/{i // 20 % 25}"
        os.makedirs(folder, exist_ok=True)
        with open(f"{folder}/{i}", "w") as file:
            file.write(f"{i} " * 50)
PYTHON
# peak COMMAND...: the most memory that the command held, in KiB.
peak() {
  python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' "$@"
}
ulimit -n 24
few=$(peak tdz -q -T1 --type u8 -r few)
many=$(peak tdz -q -T1 --type u8 -r many)
[ "$many" -le $((few + 2048)) ] || fail "few files take $few KiB, many $many"
find many -name '*.tdz' >../list
listed=$(peak tdz -q -t -T1 --filelist ../list)
[ "$listed" -le $((few + 2048)) ] || fail "few files take $few KiB, a list $listed"
[ "$(wc -l <../list)" -eq "$(find many -type f ! -name '*.tdz' | wc -l)" ] || fail "not all are done"
