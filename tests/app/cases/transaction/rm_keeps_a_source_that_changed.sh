# SPDX-License-Identifier: Apache-2.0
need_strace
noise 2000000 >data
strace -f -qqq -o ../calls -e trace=read -e inject=read:delay_enter=20000 tdz -T1 --chunk 64KiB --rm data 2>said &
reading() { grep -qsE ' = [0-9]{5,}' ../calls; }
wait_for reading
printf changed | dd of=data conv=notrunc status=none
code=0
wait $! || code=$?
[ $code -eq 3 ] || fail "exit code $code"
cat said
#> tdz: data: the source is kept: it has changed since it was read
rm said
only data data.tdz

# The modification time can be set back, and a program can have the file open without having written yet.
noise 2000000 >data
touch -r data ../time
strace -f -qqq -o ../more -e trace=read -e inject=read:delay_enter=20000 tdz -f -T1 --chunk 64KiB --rm data 2>said &
reading() { grep -qsE ' = [0-9]{5,}' ../more; }
wait_for reading
printf changed | dd of=data conv=notrunc status=none
touch -r ../time data
code=0
wait $! || code=$?
[ $code -eq 3 ] || fail "exit code $code"
cat said
#> tdz: data: the source is kept: it has changed since it was read
need_linux_calls # for the rest
exec 5>>data
show tdz -f --rm data
#> $ tdz -f --rm data
#> tdz: data: the source is kept: a program has it open for writing
#> [3]
exec 5>&-
rm said
only data data.tdz
tdz -f --rm data
only data.tdz
