# SPDX-License-Identifier: Apache-2.0
need_strace
numbers 300000 >data
strace -f -qqq -o ../calls -e trace=read tdz -T1 -c data >packed
call=$(grep -c 'read(' ../calls)
code=0
injecting "read:error=EIO:when=$call" -- tdz -T1 data 2>said || code=$?
[ $code -eq 3 ] || fail "exit code $code"
cat said
rm said
only data packed
#> tdz: data: Input/output error
