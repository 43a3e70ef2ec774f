# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2086,SC2154
# A program that opens the source for writing while --rm is removing it waits until it is known whether the source
# stays; then it writes to a file that has a name, or it is told that there is none.
need_strace
need_unnamed_files
need_linux_calls
noise 100000 >../source
cp ../source data
stop_at flock:2 -- tdz -T1 --rm data 2>../said
stopped 1
{ echo appended >>data; } 2>../told &
writer=$!
waiting() { grep -qs 'LEASE *BREAKING' /proc/locks; }
if [ -r /proc/locks ]; then wait_for waiting; else skip "no /proc/locks here"; fi
finish
wait $writer
[ $code -eq 3 ] || fail "[$code] $(cat ../said)"
cat ../said
#> tdz: data: the source is kept: a program has it open for writing
only data data.tdz
[ "$(tail -c 9 data)" = appended ] || fail "$(cat ../told)"
tdz -dc data.tdz | cmp - ../source

# The same by another name of the file.
rm data.tdz
cp ../source data
ln data other
stop_at renameat2:1 -- tdz -T1 --rm data 2>../said
stopped 1
echo appended >>other &
wait_for waiting
finish
wait
[ $code -eq 3 ] || fail "[$code] $(cat ../said)"
only data data.tdz other

# Later there is no file of this name.
rm data.tdz
cp ../source other
stop_at renameat2:1 -- tdz -T1 --rm data 2>../said
stopped 1
python3 -c 'open("data", "r+")' 2>/dev/null && fail "the name leads to a file"
finish
[ $code -eq 0 ] || fail "[$code] $(cat ../said)"
only data.tdz other

# A file system without leases, and the source of another user with -f: the file itself is compared.
for error in EINVAL EACCES; do
  cp ../source data
  stop_at "fcntl:error=$error:when=4+" renameat2:1 -- tdz -f -T1 --rm data 2>../said
  stopped 1
  echo appended >>"$(echo .data-*.tdz.rm)"
  finish
  [ $code -eq 3 ] || fail "$error: [$code] $(cat ../said)"
  [ "$(tail -c 9 data)" = appended ] || fail "$error: $(cat ../said)"
  injecting "fcntl:error=$error:when=4+" -- tdz -f -T1 --rm data
  only data.tdz other
done
