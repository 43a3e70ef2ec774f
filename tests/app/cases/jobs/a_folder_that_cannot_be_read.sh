# SPDX-License-Identifier: Apache-2.0
need_strace
mkdir -p tree/b
for file in tree/a tree/b/b tree/c; do numbers 1000 >$file; done
# The second folder cannot be listed; the other files are processed.
code=0
injecting getdents64:error=EIO:when=3 -- tdz -T1 -r tree 2>../said || code=$?
[ $code -eq 3 ] || fail "exit code $code"
grep -qx 'tdz: tree/b: Input/output error' ../said || fail "$(cat ../said)"
grep -qx 'tdz: 1 failed: reading or writing' ../said || fail "$(cat ../said)"
[ -e tree/a.tdz ] && [ -e tree/c.tdz ] || fail "the other files were not processed"
