# SPDX-License-Identifier: Apache-2.0
numbers 1000 >data
echo precious >elsewhere
ln -s elsewhere data.tdz
exits 1 tdz data
tdz -f data
[ ! -L data.tdz ] || fail "the link is still there"
[ "$(cat elsewhere)" = precious ] || fail "the link was followed"
rm data.tdz
ln -s nowhere data.tdz
exits 1 tdz data
rm data.tdz
ln -s data link
tdz link
only data elsewhere link link.tdz
