# SPDX-License-Identifier: Apache-2.0
umask 022
mkdir -p tree/open/b tree/private
numbers 1000 | tee tree/a tree/open/b/c tree/private/d >e
chmod 700 tree/private
chmod 777 tree/open
show tdz -r ./tree e --output-dir out | sed 's/: [0-9].*//'
#> $ tdz -r ./tree e --output-dir out
#> tdz
cd out
only e.tdz tree tree/a.tdz tree/open tree/open/b tree/open/b/c.tdz tree/private tree/private/d.tdz
[ "$(stat -c %a tree/private tree/open tree/open/b | tr '\n' ' ')" = "700 755 755 " ] || fail "$(stat -c '%a %n' tree/*)"
cd ..
# Restoring to another folder gives the same tree; so do absolute names.
tdz -q -d -r out --output-dir back
diff -r tree back/out/tree
tdz -q -r "$PWD/tree" --output-dir out2
same "out2$PWD/tree/a.tdz" out/tree/a.tdz
cd out
tdz -q -d -r . --output-dir ../back2
diff -r ../tree ../back2/tree
# Files in an old output folder are not replaced without -f.
numbers 2000 >tree/a
show tdz -q -d tree/a.tdz --output-dir .
#> $ tdz -q -d tree/a.tdz --output-dir .
#> tdz: tree/a.tdz: ./tree/a exists; -f replaces it
#> [1]
[ "$(stat -c %s tree/a)" -eq 2000 ] || fail "replaced without -f"
tdz -q -f -d tree/a.tdz --output-dir .
same tree/a ../tree/a
