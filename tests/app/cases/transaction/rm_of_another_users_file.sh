# SPDX-License-Identifier: Apache-2.0
# Only the owner of a file can find out whether a program has it open for writing.
[ "$(id -u)" -eq 0 ] || skip "only root can become nobody"
need setpriv
need_linux_calls
numbers 1000 >data
chmod 777 . ..
chmod 666 data
tdz=$(realpath "$(command -v tdz)")
as_nobody() { setpriv --reuid 65534 --regid 65534 --clear-groups -- "$tdz" "$@"; }
as_nobody --version >/dev/null 2>&1 || skip "nobody may not run this tdz"
code=0
as_nobody --rm data 2>said || code=$?
[ $code -eq 3 ] || fail "exit code $code"
grep -q 'another user' said || fail "$(cat said)"
rm said
only data data.tdz
as_nobody -f --rm data
only data.tdz
