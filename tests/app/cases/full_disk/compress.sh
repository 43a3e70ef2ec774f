# SPDX-License-Identifier: Apache-2.0
# The disk is full from the Nth write on.
need_strace
noise 4000000 >data
cp data kept
for call in $(seq 40); do
  code=0
  injecting "write:error=ENOSPC:when=$call" "pwrite64:error=ENOSPC:when=$call" -- tdz -T1 --chunk 64KiB data 2>../said || code=$?
  [ $code -eq 3 ] || fail "write $call: exit code $code"
  grep -q 'No space left' ../said || [ ! -s ../said ] || fail "write $call: $(cat ../said)"
  only data kept
done
same data kept
echo precious >data.tdz
exits 3 injecting "write:error=ENOSPC:when=7+" "pwrite64:error=ENOSPC:when=7+" -- tdz -T1 --chunk 64KiB -f --rm data
[ "$(cat data.tdz)" = precious ] || fail "the old target is gone"
same data kept
only data data.tdz kept
