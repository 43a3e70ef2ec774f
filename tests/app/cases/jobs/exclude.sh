# SPDX-License-Identifier: Apache-2.0
mkdir -p tree/logs/old tree/.git
numbers 1000 | tee tree/a.raw tree/b.tmp tree/logs/c.raw tree/logs/old/d.raw tree/.git/e tree/.f '[a,b]' >g.tmp
try() {
  echo "$*"
  tdz -q "$@" --output-dir ../out
  (cd ../out && find . -type f | sort)
  rm -r ../out
}
try -r tree --exclude '*.tmp'
try -r . --exclude '.*'
try -r tree --exclude logs
try -r tree --exclude 'tree/logs/*' --exclude='[ab].*'
try -r ./tree --exclude 'tree/*/d.raw'
try -r tree/ g.tmp --exclude 'tree'
try a* g.tmp '[a,b]' tree/a.raw --exclude '[a]*' --exclude g.tmp
try -r . --exclude '[[]a,b]'
#> -r tree --exclude *.tmp
#> ./tree/.f.tdz
#> ./tree/.git/e.tdz
#> ./tree/a.raw.tdz
#> ./tree/logs/c.raw.tdz
#> ./tree/logs/old/d.raw.tdz
#> -r . --exclude .*
#> ./[a,b].tdz
#> ./g.tmp.tdz
#> ./tree/a.raw.tdz
#> ./tree/b.tmp.tdz
#> ./tree/logs/c.raw.tdz
#> ./tree/logs/old/d.raw.tdz
#> -r tree --exclude logs
#> ./tree/.f.tdz
#> ./tree/.git/e.tdz
#> ./tree/a.raw.tdz
#> ./tree/b.tmp.tdz
#> -r tree --exclude tree/logs/* --exclude=[ab].*
#> ./tree/.f.tdz
#> ./tree/.git/e.tdz
#> -r ./tree --exclude tree/*/d.raw
#> ./tree/.f.tdz
#> ./tree/.git/e.tdz
#> ./tree/a.raw.tdz
#> ./tree/b.tmp.tdz
#> ./tree/logs/c.raw.tdz
#> -r tree/ g.tmp --exclude tree
#> ./g.tmp.tdz
#> a* g.tmp [a,b] tree/a.raw --exclude [a]* --exclude g.tmp
#> ./[a,b].tdz
#> -r . --exclude [[]a,b]
#> ./g.tmp.tdz
#> ./tree/.f.tdz
#> ./tree/.git/e.tdz
#> ./tree/a.raw.tdz
#> ./tree/b.tmp.tdz
#> ./tree/logs/c.raw.tdz
#> ./tree/logs/old/d.raw.tdz
show tdz -r tree g.tmp --exclude '*' --output-dir ../out
#> $ tdz -r tree g.tmp --exclude * --output-dir ../out
#> tdz: 0 files
#> tdz: 2 skipped: excluded by --exclude
show tdz --exclude '' g.tmp
#> $ tdz --exclude  g.tmp
#> tdz: --exclude '': a file name must not be empty
#> [1]
