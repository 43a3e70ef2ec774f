# SPDX-License-Identifier: Apache-2.0
# A file that is named twice is processed once.
mkdir -p data/deep
numbers 1000 | tee a data/b data/deep/c >data/deep/d
show tdz -v a ./a .//a 2>&1 | grep -c ratio
show tdz -v -f -r data ./data/b data/ data/deep 2>&1 | grep -c ratio
printf '%s\n' ./a data/b >list
show tdz -v -f a --filelist list 2>&1 | grep -c ratio
tdz analyze -r data/deep/c data data/deep | sed -n '1s/;.*//p'
# What is named is processed, whatever is left out where it is found.
cp data/b data/old.tdz
show tdz -v -f -r data/old.tdz data 2>&1 | grep -c "old.tdz.tdz: .*ratio"
rm data/old.tdz.tdz
# Standard input may be named like a file.
cp a -- -
printf '%s\n' - >list
show tdz -q -f --filelist list
[ -e ./-.tdz ] || fail "the file - was not processed"
# The names of folders are brought to disk once, in whatever order a list names them.
need_strace
mkdir -p in/a in/b
for i in 1 2 3 4; do numbers 100 | tee "in/a/$i" >"in/b/$i"; done
syncs() {
  strace -f -qqq -o ../calls -e trace=fsync,syncfs tdz -q -T1 --filelist - --output-dir "$1"
  grep -c sync ../calls
}
ordered=$(printf '%s\n' in/a/{1,2,3,4} in/b/{1,2,3,4} | syncs ordered)
mixed=$(printf '%s\n' in/{a,b}/1 in/{a,b}/2 in/{a,b}/3 in/{a,b}/4 | syncs mixed)
[ "$mixed" -eq "$ordered" ] || fail "$mixed calls, in order $ordered"
#> 1
#> 4
#> 3
#> 3 files, 2.93 KiB
#> 1
#> $ tdz -q -f --filelist list
