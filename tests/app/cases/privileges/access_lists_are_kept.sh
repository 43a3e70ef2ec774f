# SPDX-License-Identifier: Apache-2.0
# Access lists: u::rw u:1234:rw g::--- m::rw o::---, and a list that a folder gives to its files.
need python3
need_linux_calls
list() { # NAME FILE
  python3 - "$@" <<'END'
import os, struct, sys
entry = lambda tag, bits, who=0xFFFFFFFF: struct.pack("<HHI", tag, bits, who)
acl = struct.pack("<I", 2) + entry(1, 6) + entry(2, 6, 1234) + entry(4, 0) + entry(16, 6) + entry(32, 0)
os.setxattr(sys.argv[2], "system.posix_acl_" + sys.argv[1], acl)
END
}
numbers 1000 >secret
chmod 600 secret
list access secret 2>/dev/null || skip "no access lists here"
tdz secret -o kept
python3 -c 'import os; n = "system.posix_acl_access"; assert os.getxattr("kept", n) == os.getxattr("secret", n)'
mkdir open
list default open
numbers 1000 >plain
chmod 640 plain
tdz plain -o open/plain.tdz
python3 -c 'import os; os.getxattr("open/plain.tdz", "system.posix_acl_access")' 2>/dev/null && fail "the folder's list is on the result"
[ "$(stat -c %a open/plain.tdz)" = 640 ]
# If the list cannot be set, the group gets no rights from the group bits of the mode.
need_strace
strace -f -qqq -o ../calls -e trace=fsetxattr -e inject=fsetxattr:error=EOPNOTSUPP tdz secret -o elsewhere
[ "$(stat -c %a elsewhere)" = 600 ] || fail "$(stat -c %a elsewhere)"
