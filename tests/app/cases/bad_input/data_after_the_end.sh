# SPDX-License-Identifier: Apache-2.0
numbers 20000 >data
tdz data -o packed
{ cat packed; head -c 4096 /dev/zero; } >padded
tdz -dc padded | cmp - data
{ cat packed; printf 'and so on, for a while: this is no stream'; } >followed
show tdz -do out followed
#> $ tdz -do out followed
#> tdz: followed: the data after the stream is not a tdz stream (at byte *)
#> tdz: to save what is left: tdz recover followed -o OUT
#> [2]
only data packed padded followed
