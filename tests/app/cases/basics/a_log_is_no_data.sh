# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
numbers 3000 | tee data >copy
show tdz --log-file data data
show tdz -t --log-file ./data copy data
same data copy
mkdir tree
mv data tree
tdz -q -r --rm --log-file tree/log tree
only copy tree tree/data.tdz tree/log
[ -s tree/log ]

# What is there and is no log is not appended to, by whatever way it is named.
numbers 3000 >raw
numbers 3000 | tdz -q >packed.tdz
printf 'packed.tdz\n' >list
show tdz -t --filelist list --log-file packed.tdz
show tdz -q --filelist list --log-file list
show tdz -q -r tree --log-file raw
same raw copy
tdz -q -t packed.tdz
printf 'new\n' >list
show tdz -t --filelist list --log-file new

# What cannot be logged is said, once.
show tdz -q -f --log-file /dev/full copy raw

# Nor is a log written over by what it tells of.
mkdir logged
cd logged || exit
cp ../raw data
ln -s log link
tdz -q --log-file log data
cp log before
for words in "-f -o log data" "-f -o link data" "recover -f --map log -o out data.tdz" \
  "roundtrip -f --words 2 --tuples 1 --orders 1 -o log data" "bench -f -o log data"; do
  # shellcheck disable=SC2086  # several words
  show tdz $words --log-file log
done
cp log data
show tdz -f --log-file data.tdz.log -o data.tdz.log data
cmp -n "$(stat -c %s before)" log before || fail "the log is another"
