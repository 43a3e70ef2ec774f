# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
mkdir -p in/tree out elsewhere
numbers 1000 | tee in/a in/tree/b >elsewhere/a.kept
cd in
show tdz ../in/a --output-dir ../out
show tdz tree/../a --output-dir ../out
show tdz -q "$PWD/a" a --output-dir ../out2 | sed "s|$PWD|HERE|"
# Links below the folder are neither followed nor written through.
ln -s ../elsewhere ../out/tree
show tdz -r tree --output-dir ../out
rm ../out/tree
ln -s ../elsewhere/a.kept ../out/a.tdz
show tdz a --output-dir ../out
tdz -q -f a --output-dir ../out
[ ! -L ../out/a.tdz ] || fail "still a link"
ln -sf /dev/null ../out/a.tdz
tdz -q -f a --output-dir ../out
[ -f ../out/a.tdz ] && [ ! -L ../out/a.tdz ] && [ -c /dev/null ] || fail "a device behind a link"
same a ../elsewhere/a.kept
show tdz -q a --output-dir a
show tdz -q a --output-dir nowhere/out
cd ..
[ "$(ls elsewhere)" = a.kept ] || fail "$(ls elsewhere)"
