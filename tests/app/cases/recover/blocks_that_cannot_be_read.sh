# SPDX-License-Identifier: Apache-2.0
# Blocks of a failing disk count as damage: only the chunks in them are lost.
need_strace
noise 1000000 >data
tdz --chunk 64KiB data
# The long reads are the reads of chunks. The third one fails, and so do the reads of its single blocks.
strace -f -qqq -o ../calls -e trace=pread64 tdz recover -q data.tdz -o whole
same data whole
call=$(grep -nE ', [0-9]{5}, [0-9]+\)' ../calls | sed -n 3p | cut -d : -f 1)
[ -n "$call" ] || fail "no chunk was read"
code=0
injecting "pread64:error=EIO:when=$call..$((call + 3))" -- tdz recover data.tdz -o out 2>../said || code=$?
[ $code -eq 2 ] || fail "exit code $code: $(cat ../said)"
sed 's/ data.tdz -> .*//' ../said
cmp <(head -c 131072 data) <(head -c 131072 out)
cmp <(tail -c +196609 data) <(tail -c +196609 out)
# If every read fails, it is an error of reading, not damage. The first reads load the program.
strace -f -qqq -o ../calls -e trace=pread64 tdz -V >/dev/null
first=$(($(wc -l <../calls) + 1))
code=0
injecting "pread64:error=EIO:when=$first+" -- tdz recover data.tdz -o none 2>../said || code=$?
[ $code -eq 3 ] || fail "exit code $code: $(cat ../said)"
cat ../said
[ ! -e none ] || fail "a result of nothing"
#> tdz: data.tdz: 12.0 KiB could not be read (Input/output error); they count as damage
#> tdz: data.tdz: bytes 131072 to 196607 are missing (64.0 KiB)
#> tdz: data.tdz: incomplete: 913 KiB recovered, 1 range is missing
#> tdz: data.tdz: Input/output error
