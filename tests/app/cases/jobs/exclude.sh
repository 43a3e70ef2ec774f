# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
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
show tdz -r tree g.tmp --exclude '*' --output-dir ../out
show tdz --exclude '' g.tmp
