# SPDX-License-Identifier: Apache-2.0
need_strace
numbers 100000 >data
call=$(tmpfile_call tdz -T1 data)
rm data.tdz
without() { injecting "openat:error=EOPNOTSUPP:when=$call" -- tdz -T1 "$@"; }
without data
tdz -dc data.tdz | cmp - data
exits 1 without data
without -f data
tdz -dc data.tdz | cmp - data
only data data.tdz
# Without RENAME_NOREPLACE too.
rm data.tdz
injecting "openat:error=EOPNOTSUPP:when=$call" renameat2:error=EINVAL -- tdz -T1 data
tdz -dc data.tdz | cmp - data
only data data.tdz
# The hidden name is short enough for every name.
long=$(printf '%0250d' 7)
cp data "$long"
without "$long"
only data data.tdz "$long" "$long.tdz"
