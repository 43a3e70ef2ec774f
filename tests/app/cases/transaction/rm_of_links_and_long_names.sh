# SPDX-License-Identifier: Apache-2.0
need_strace
calls_of_rm
has_linux_calls && flags=", RENAME_NOREPLACE" || flags=
noise 20000 >../source
# Another name of the same file stays.
cp ../source data
ln data other
tdz --rm data
only data.tdz other
same other ../source
# Names as long as possible: the hidden name is not longer, and whole characters are left of it.
rm ./*
ascii=$(printf '%0251d' 7)
umlauts=$(printf 'ü%.0s' $(seq 125))x
for name in "$ascii" "$umlauts"; do
  cp ../source "$name"
  strace -f -qqq -e trace=renameat,renameat2 -o ../calls tdz --rm "$name"
  only "$name.tdz"
  grep -q "${hides%:*}(.*\.tdz\.rm\"$flags) = 0" ../calls || fail "$(cat ../calls)"
  rm "$name.tdz"
  # Killed before it is removed, it gets its name back, which is longer than what the hidden name holds of it.
  cp ../source "$name"
  injecting unlinkat:signal=KILL:when=$removal -- tdz -T1 --rm "$name" 2>/dev/null && fail "it was not killed"
  hidden=$(echo .*.tdz.rm)
  [ "$(printf %s "$hidden" | wc -c)" -le 255 ] || fail "$hidden is too long"
  printf %s "$hidden" | iconv -f UTF-8 -t UTF-8 >/dev/null || fail "$hidden is no text"
  only "$name.tdz" "$hidden"
  tdz -f --rm "./$name" 2>/dev/null
  only "$name.tdz"
  rm "$name.tdz"
done
