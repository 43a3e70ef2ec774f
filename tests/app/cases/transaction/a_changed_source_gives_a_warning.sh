# SPDX-License-Identifier: Apache-2.0
need_strace
noise 2000000 >data
strace -f -qqq -o ../calls -e trace=read -e inject=read:delay_enter=20000 tdz -T1 --chunk 64KiB data 2>said &
reading() { grep -qsE ' = [0-9]{5,}' ../calls; }
wait_for reading
printf changed | dd of=data conv=notrunc status=none
wait $!
cat said
tdz -t data.tdz
#> tdz: data: the source has changed since it was read; the result holds what was read
