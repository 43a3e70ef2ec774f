# SPDX-License-Identifier: Apache-2.0
# The disk is full from the Nth write on.
need_strace
noise 4000000 >x; tdz --chunk 64KiB x -o data.tdz; rm x
cp data.tdz kept
for call in $(seq 40); do
  code=0
  injecting "write:error=ENOSPC:when=$call" "pwrite64:error=ENOSPC:when=$call" -- tdz -T1 -d data.tdz 2>../said || code=$?
  [ $code -eq 3 ] || fail "write $call: exit code $code"
  grep -q 'No space left' ../said || [ ! -s ../said ] || fail "write $call: $(cat ../said)"
  only data.tdz kept
done
same data.tdz kept
echo precious >data
exits 3 injecting "write:error=ENOSPC:when=7+" "pwrite64:error=ENOSPC:when=7+" -- tdz -T1 -d -f --rm data.tdz
[ "$(cat data)" = precious ] || fail "the old target is gone"
same data.tdz kept
only data.tdz data kept
