# SPDX-License-Identifier: Apache-2.0
# As user nobody: the group of the source cannot be set, so the group gets no more rights than all others.
[ "$(id -u)" -eq 0 ] || skip "only root can become nobody"
need setpriv
numbers 1000 >data
chmod 664 data
mkdir open
chmod 777 . .. open
setpriv --reuid 65534 --regid 65534 --clear-groups -- "$(realpath "$(command -v tdz)")" data -o open/x ||
  skip "nobody may not run this tdz"
[ "$(stat -c '%u:%g %a' open/x)" = '65534:65534 644' ] || fail "$(stat -c '%u:%g %a' open/x)"
