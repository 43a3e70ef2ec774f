# SPDX-License-Identifier: Apache-2.0
numbers 1000 >data
for name in -x --rm '[a,b]' '{}' ' ' "a'b" 'a"b' '%s' 'x=y' -; do
  cp data "./$name"
  tdz --rm -- "./$name"
  [ ! -e "./$name" ] || fail "still here: $name"
  tdz -d --rm -- "./$name.tdz"
  same data "./$name"
  rm -- "./$name"
done
cp -- data -x
tdz -- -x
cp data '[a,b]'
tdz '[a,b]' --rm
only data -x -x.tdz '[a,b].tdz'
