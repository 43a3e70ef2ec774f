# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2086,SC2154
# strace makes the system state another size than the file has. The file is read to its end all the same, and --rm keeps it.
need_strace
need python3
[ "$(uname -m)" = x86_64 ] || skip "only the status of x86-64 is known here"
# stating SIZE FILE COMMAND...: the command sees this size.
stating() {
  local status
  status=$(python3 -c 'import os, struct, sys
s = os.stat(sys.argv[2])
print(struct.pack("<QQQIIIIQQ", s.st_dev, s.st_ino, s.st_nlink, s.st_mode, s.st_uid, s.st_gid, 0, 0, int(sys.argv[1])).hex())' "$1" "$2")
  local file=$2
  shift 2
  strace -f -qqq -o /dev/null -P "$(realpath "$file")" -e trace=newfstatat -e "inject=newfstatat:poke_exit=@arg3=$status" "$@"
}
numbers 100000 >data
[ "$(stating 7 data python3 -c 'import os; print(os.fstat(os.open("data", os.O_RDONLY)).st_size)' 2>/dev/null)" = 7 ] ||
  skip "strace cannot change what a call gives here"
tdz --chunk 64KiB --type u8x3 data
for size in 1 60000 99999 100001 1000000; do
  stating $size data tdz -T1 -c data | tdz -dc | cmp - data
  stating $size data tdz -T2 -f -o packed data
  tdz -dc packed | cmp - data
  stating $size data tdz analyze --type u8x3 data >/dev/null
  stating $size data tdz roundtrip --words 1 --tuples 3 --orders 1 data >/dev/null
  stating $size data tdz bench --backends cpu --words 1 --tuples 3 --orders 1 --type u8x3 --time 1 data >/dev/null
  code=0
  stating $size data tdz -T1 --rm -f -o packed data 2>said || code=$?
  [ $code -eq 3 ] || fail "--rm at $size: [$code] $(cat said)"
  cat said
  tdz -dc packed | cmp - data
done
#> tdz: data: the source is kept: the system states a wrong size for it, so nobody can tell whether it changes
#> tdz: data: the source is kept: the system states a wrong size for it, so nobody can tell whether it changes
#> tdz: data: the source is kept: the system states a wrong size for it, so nobody can tell whether it changes
#> tdz: data: the source is kept: the system states a wrong size for it, so nobody can tell whether it changes
#> tdz: data: the source is kept: the system states a wrong size for it, so nobody can tell whether it changes
bytes=$(stat -c %s data.tdz)
for size in 1 $((bytes - 1)) $((bytes + 1)) $((10 * bytes)); do
  stating "$size" data.tdz tdz -d -f -o out data.tdz
  same out data
  stating "$size" data.tdz tdz -dc --range 90000:9 data.tdz | cmp - <(tail -c +90001 data | head -c 9)
  stating "$size" data.tdz tdz -t --sum data.tdz
  stating "$size" data.tdz tdz info --json --chunks data.tdz | cmp - <(tdz info --json --chunks data.tdz)
  stating "$size" data.tdz tdz recover -q -f data.tdz -o out
  same out data
  stating "$size" data.tdz tdz -d --rm -f -o out data.tdz 2>said && fail "it was removed"
  grep -q 'the source is kept' said || fail "$(cat said)"
done
# Where the system states none, an empty file is empty, and may be removed.
: >empty
tdz --rm empty
[ ! -e empty ] || fail "the empty file is still there"
stating 0 data tdz -T1 --rm -f -o packed data 2>said && fail "a file of no size was removed"
same data <(tdz -dc packed)
