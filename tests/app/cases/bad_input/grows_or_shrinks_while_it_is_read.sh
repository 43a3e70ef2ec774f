# SPDX-License-Identifier: Apache-2.0
need_strace
slowly() { strace -f -qqq -o ../calls -e trace=read -e inject=read:delay_enter=40000 tdz -T1 --chunk 64KiB "$@"; }
reading() { grep -qsE ' = [0-9]{5,}' ../calls; }
# changed CHANGE OPTION...: the file's size changes while it is compressed; leaves the exit code in `code`.
changed() {
  noise 2000000 >data
  cp data ../before
  rm -f ../calls
  slowly "${@:2}" data 2>../said &
  wait_for reading
  truncate -s "$1" data
  code=0
  wait $! || code=$?
}

changed -300K
[ "$code" -eq 3 ] || fail "shorter: exit code $code"
grep -q '^tdz: data: .*changed while it was read' ../said || fail "shorter: $(cat ../said)"
only data

# A file that grows, as a log does: the bytes from before are compressed.
changed +200K
[ "$code" -eq 0 ] || fail "longer: exit code $code: $(cat ../said)"
grep -q '^tdz: data: the source has changed since it was read' ../said || fail "longer: $(cat ../said)"
tdz -dc data.tdz | cmp - ../before
rm data.tdz

changed +200K --rm
[ "$code" -eq 3 ] || fail "longer, --rm: exit code $code"
grep -q '^tdz: data: the source is kept' ../said || fail "longer, --rm: $(cat ../said)"
tdz -dc data.tdz | cmp - ../before
only data data.tdz
