# SPDX-License-Identifier: Apache-2.0
# Neither an unnamed file nor a hidden file replaces a target that appears during the run.
need_strace
noise 1000000 >data
call=$(tmpfile_call tdz -T1 data)
rm data.tdz
for spec in read:delay_enter=0 "openat:error=EOPNOTSUPP:when=$call"; do
  injecting "$spec" fsync:delay_enter=500000 -- tdz -T1 data 2>said &
  sleep 0.25
  echo precious >data.tdz
  code=0
  wait $! || code=$?
  [ $code -eq 1 ] || fail "exit code $code"
  [ "$(cat data.tdz)" = precious ] || fail "the target was replaced"
  grep -q exists said || fail "$(cat said)"
  rm said
  only data data.tdz
  rm data.tdz
done
