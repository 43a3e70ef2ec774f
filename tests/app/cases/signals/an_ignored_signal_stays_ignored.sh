# SPDX-License-Identifier: Apache-2.0
mkfifo slow
{ numbers 100000; sleep 0.5; numbers 100000; } >slow &
env --ignore-signal=HUP --ignore-signal=INT tdz -o out slow &
sleep 0.2
kill -HUP $!
kill -INT $!
wait $!
tdz -dc out | cmp - <(numbers 100000; numbers 100000)
