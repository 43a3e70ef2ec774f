# SPDX-License-Identifier: Apache-2.0
# With any umask and mode of the source: only the owner may open an unfinished result; others may when it is complete.
need_strace
umask 000
numbers 300000 >data
chmod 666 data
# traced COMMAND...: its calls, in order.
traced() { strace -f -qqq -o ../calls -e trace=openat,write,pwrite64,fchown,fchmod,fsync,linkat,renameat,renameat2 "$@"; }
# widened_last: the mode did not change between opening and the last write, and it was set before the name.
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
# The same on a file system without unnamed files.
rm copy
call=$(tmpfile_call tdz -T1 -d data.tdz -o copy)
rm copy
traced -e "inject=openat:error=EOPNOTSUPP:when=$call" tdz -T1 -d data.tdz -o copy
sed -i '/O_TMPFILE/d' ../calls
widened_last
# The same without a source that has a mode.
traced tdz -T1 -o new <data
widened_last
