# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
need_strace
slowly() { injecting read:delay_enter=20000 -- tdz -T1 --chunk 64KiB "$@"; }
for change in '+200K' '-300K'; do
  noise 2000000 >data
  slowly data 2>said &
  sleep 0.4
  truncate -s "$change" data
  code=0
  wait $! || code=$?
  [ $code -eq 3 ] || fail "$change: exit code $code"
  grep -q '^tdz: data: .*changed while it was read' said || fail "$change: $(cat said)"
  rm said
  only data
done
