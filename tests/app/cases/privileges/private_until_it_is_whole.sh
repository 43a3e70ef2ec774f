# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Whatever the umask and the source's mode: what is being written, only its owner may open; others may when all is written.
need_strace
umask 000
numbers 300000 >data
chmod 666 data
# traced COMMAND...: its calls, in order.
traced() { strace -f -qqq -o ../calls -e trace=openat,write,pwrite64,fchown,fchmod,fsync,linkat,renameat,renameat2 "$@"; }
# widened_last: between opening for writing and the last byte nobody changed the mode, and the mode came before the name.
widened_last() {
  grep -E 'openat\(.*(O_TMPFILE|O_EXCL)' ../calls >../opened
  [ "$(wc -l <../opened)" -eq 1 ] || fail "opened for writing: $(cat ../opened)"
  grep -q ', 0600)' ../opened || fail "not private: $(cat ../opened)"
  written=$(grep -nE '(write|pwrite64)\([0-9]' ../calls | tail -n 1 | cut -d : -f 1)
  chmods=$(grep -n 'fchmod(' ../calls | cut -d : -f 1)
  named=$(grep -nE '(linkat|renameat2?)\(' ../calls | head -n 1 | cut -d : -f 1)
  [ "$(wc -w <<<"$chmods")" -eq 1 ] || fail "chmod: $chmods"
  [ "$written" -lt "$chmods" ] && [ "$chmods" -lt "$named" ] || fail "written $written, widened $chmods, named $named"
}
traced tdz -T1 data
widened_last
traced tdz -T1 -d data.tdz -o copy
widened_last
[ "$(stat -c %a data.tdz copy | tr '\n' ' ')" = "666 666 " ] || fail "$(stat -c '%a %n' data.tdz copy)"
# The same where unnamed files are not known.
rm copy
call=$(tmpfile_call tdz -T1 -d data.tdz -o copy)
rm copy
traced -e "inject=openat:error=EOPNOTSUPP:when=$call" tdz -T1 -d data.tdz -o copy
sed -i '/O_TMPFILE/d' ../calls
widened_last
# And where there is no source to take a mode from.
traced tdz -T1 -o new <data
widened_last
