# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
need_strace
noise 2000000 >data
injecting read:delay_enter=10000 -- tdz -T1 --chunk 64KiB --rm data 2>said &
sleep 0.3
printf changed | dd of=data conv=notrunc status=none
code=0
wait $! || code=$?
[ $code -eq 3 ] || fail "exit code $code"
cat said
rm said
only data data.tdz
