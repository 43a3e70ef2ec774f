# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
need_strace
slowly() { strace -f -qqq -o ../calls -e trace=read -e inject=read:delay_enter=40000 tdz -T1 --chunk 64KiB "$@"; }
reading() { grep -qsE ' = [0-9]{5,}' ../calls; }
for change in '+200K' '-300K'; do
  noise 2000000 >data
  rm -f ../calls
  slowly data 2>said &
  wait_for reading
  truncate -s "$change" data
  code=0
  wait $! || code=$?
  [ $code -eq 3 ] || fail "$change: exit code $code"
  grep -q '^tdz: data: .*changed while it was read' said || fail "$change: $(cat said)"
  rm said
  only data
done
