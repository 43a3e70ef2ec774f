# SPDX-License-Identifier: Apache-2.0
numbers 3000 | tee data >copy
show tdz --log-file data data
show tdz -t --log-file ./data copy data
same data copy
mkdir tree
mv data tree
tdz -q -r --rm --log-file tree/log tree
only copy tree tree/data.tdz tree/log
[ -s tree/log ]

# A file that exists and is not a log is not appended to.
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

# An error of the log is reported once.
show tdz -q -f --log-file /dev/full copy raw

# No result replaces the log of its run.
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
cmp -n "$(stat -c %s before)" log before || fail "the log was replaced"
#> $ tdz --log-file data data
#> tdz: --log-file data is also a source of this run; use another log file
#> [1]
#> $ tdz -t --log-file ./data copy data
#> tdz: --log-file ./data is also a source of this run; use another log file
#> [1]
#> $ tdz -t --filelist list --log-file packed.tdz
#> tdz: --log-file packed.tdz exists and is not a log; use another log file
#> [1]
#> $ tdz -q --filelist list --log-file list
#> tdz: --log-file list exists and is not a log; use another log file
#> [1]
#> $ tdz -q -r tree --log-file raw
#> tdz: --log-file raw exists and is not a log; use another log file
#> [1]
#> $ tdz -t --filelist list --log-file new
#> tdz: new: this is the log file of this run; use another log file
#> tdz: 0 of 1 file
#> tdz: 1 failed: refused
#> [1]
#> $ tdz -q -f --log-file /dev/full copy raw
#> tdz: the log is incomplete: Failed flush to file /dev/full: No space left on device
#> [3]
#> $ tdz -f -o log data --log-file log
#> tdz: data: log is the log file of this run; use another log file
#> [1]
#> $ tdz -f -o link data --log-file log
#> tdz: data: link is the log file of this run; use another log file
#> [1]
#> $ tdz recover -f --map log -o out data.tdz --log-file log
#> tdz: data.tdz: log is a source or the log of this run and would be overwritten; name another file
#> [1]
#> $ tdz roundtrip -f --words 2 --tuples 1 --orders 1 -o log data --log-file log
#> tdz: log is a source or the log of this run and would be overwritten; name another file
#> [1]
#> $ tdz bench -f -o log data --log-file log
#> tdz: log is a source or the log of this run and would be overwritten; name another file
#> [1]
#> $ tdz -f --log-file data.tdz.log -o data.tdz.log data
#> tdz: data: data.tdz.log is the log file of this run; use another log file
#> [1]
