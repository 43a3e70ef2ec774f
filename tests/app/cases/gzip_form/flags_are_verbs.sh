# SPDX-License-Identifier: Apache-2.0
numbers 100000 >data
tdz compress --type i32 data -o long
tdz --type i32 data -o short
same long short
tdz decompress long -o a
tdz -d short -o b
tdz --decompress -c short >c
tdz --uncompress --stdout short >d
for copy in a b c d; do same $copy data; done
tdz -t long
tdz --test long
[ "$(tdz -l long)" = "$(tdz info long)" ] || fail "-l"
[ "$(tdz --list long)" = "$(tdz info long)" ] || fail "--list"
