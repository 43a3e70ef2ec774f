# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# A link is replaced by -f, but not one that stands for what it leads to: an open file, as /dev/stdout, or a folder.
numbers 100000 >data
tdz data
mkdir folder
ln -s /proc/self/fd/1 out
ln -s out by_way_of_another
ln -s /proc/self/fd fds
ln -s folder to_folder
for name in out by_way_of_another fds/1 to_folder; do
  for words in "-f data" "roundtrip -f --words 2 --tuples 1 --orders 1 data" "-d data.tdz"; do
    code=0
    # shellcheck disable=SC2086  # several words
    said=$(tdz $words -o $name 2>&1 >../redirected) || code=$?
    echo "[$code] $words -o $name: $said"
    [ ! -s ../redirected ] || fail "something was written"
  done
done
[ "$(echo x | tdz -o out | tdz -d)" = x ] || fail "a pipe behind the link was not written to"
[ -L out ] && [ -L by_way_of_another ] && [ -L to_folder ] || fail "a link is gone"
only data data.tdz folder out by_way_of_another fds to_folder
