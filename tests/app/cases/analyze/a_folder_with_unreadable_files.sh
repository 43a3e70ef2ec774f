# SPDX-License-Identifier: Apache-2.0
# Files that cannot be read leave the totals; they are counted and named. All others are in the totals.
need python3
need_strace
mkdir data
for name in a b c; do numbers 50000 >data/$name.txt; done
numbers 300000 >data/one.bin  # the only file of its kind, and the first to be sampled
numbers 60000 >data/z.log
# estimate OPTION..: opening that file fails.
estimate() {
  local code=0
  strace -f -qqq -o /dev/null -P data/one.bin -e inject=openat:error=EACCES tdz analyze -r "$@" >report 2>said || code=$?
  [ $code -eq 3 ] || fail "exit code $code: $(cat said)"
}
estimate -T 1 data
grep '^tdz:' said
grep -E "Could not be read|  all$|No time" report | sed -E 's/ +/ /g; s/(KiB).*all/\1 * all/'
! grep -q "  .bin$" report || fail "a kind without files"
estimate --json data missing
python3 - <<'END'
import json
report = json.load(open("report"))
assert report["unread_files"] == 2 and set(report["unread"]) == {"missing", "data/one.bin"}, report
assert report["files"] == report["covered_files"] == 4 and report["covered_bytes"] == 210000, report
assert {kind["suffix"] for kind in report["kinds"]} == {".txt", ".log"}, report
total = report["efforts"][0]
assert total["stored_bytes"] == sum(kind["efforts"][0]["stored_bytes"] for kind in report["kinds"]), report
assert abs(total["ratio"] * total["stored_bytes"] / 210000 - 1) < 0.01, report
END
#> tdz: data/one.bin: Permission denied
#>  4 205 KiB * all
#>  Could not be read, and not in the figures: 1 file: data/one.bin
