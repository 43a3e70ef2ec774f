# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
numbers 5000 >data
tdz data
: >map
show tdz recover data.tdz
show tdz recover data.tdz data -o out
show tdz recover data.tdz -o data
show tdz recover data.tdz -o out --map map
show tdz recover data.tdz -o out --fill maybe
show tdz recover data -o out
show tdz recover missing -o out
cat data.tdz | show tdz recover - -o out
show tdz recover data.tdz -o data.tdz -f
show tdz recover data.tdz -o data --map map -f
cp data.tdz copy.tdz
show tdz recover -f copy.tdz -o out --map copy.tdz
show tdz recover -f copy.tdz -o out --map ./out
show tdz recover -f copy.tdz -o data --map data
show tdz recover copy.tdz -o out --map none/map
show tdz recover copy.tdz -o out --map -
same data.tdz copy.tdz
mkfifo pipe
cat pipe >../map &
tdz recover -f copy.tdz -o data --map pipe
wait $!
grep -q tdz-recover/1 ../map || fail "$(cat ../map)"
[ -p pipe ] || fail "the pipe was replaced"
only data data.tdz copy.tdz pipe map
