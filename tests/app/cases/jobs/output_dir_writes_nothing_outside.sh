# SPDX-License-Identifier: Apache-2.0
mkdir -p in/tree out elsewhere
numbers 1000 | tee in/a in/tree/b >elsewhere/a.kept
cd in
show tdz ../in/a --output-dir ../out
#> $ tdz ../in/a --output-dir ../out
#> tdz: ../in/a: the name contains '..', and --output-dir writes nothing outside its folder
#> [1]
show tdz tree/../a --output-dir ../out
#> $ tdz tree/../a --output-dir ../out
#> tdz: tree/../a: the name contains '..', and --output-dir writes nothing outside its folder
#> [1]
show tdz -q "$PWD/a" a --output-dir ../out2 | sed "s|$PWD|HERE|"
#> $ tdz -q HERE/a a --output-dir ../out2
#> tdz: a: --output-dir does not take absolute and relative names together; use two runs
#> [1]
# Links below the folder are not followed.
ln -s ../elsewhere ../out/tree
show tdz -r tree --output-dir ../out
#> $ tdz -r tree --output-dir ../out
#> tdz: tree/b: ../out/tree is a symbolic link or not a folder; tdz writes nothing there
#> tdz: 0 of 1 file
#> tdz: 1 failed: refused
#> [1]
rm ../out/tree
ln -s ../elsewhere/a.kept ../out/a.tdz
show tdz a --output-dir ../out
#> $ tdz a --output-dir ../out
#> tdz: a: ../out/a.tdz exists; -f replaces it
#> [1]
tdz -q -f a --output-dir ../out
[ ! -L ../out/a.tdz ] || fail "still a link"
ln -sf /dev/null ../out/a.tdz
tdz -q -f a --output-dir ../out
[ -f ../out/a.tdz ] && [ ! -L ../out/a.tdz ] && [ -c /dev/null ] || fail "a device behind a link"
same a ../elsewhere/a.kept
show tdz -q a --output-dir a
#> $ tdz -q a --output-dir a
#> tdz: opening the folder a: Not a directory
#> [3]
show tdz -q a --output-dir nowhere/out
#> $ tdz -q a --output-dir nowhere/out
#> tdz: creating the folder nowhere/out: No such file or directory
#> [3]
cd ..
[ "$(ls elsewhere)" = a.kept ] || fail "$(ls elsewhere)"
