# SPDX-License-Identifier: Apache-2.0
numbers 100000 >data
tdz data -o /dev/null
tdz data -o packed
tdz -d packed -o /dev/null
[ -c /dev/null ] || fail "/dev/null is no device any more"
mkfifo pipe
cat pipe >through &
tdz data -o pipe
wait
same through packed
[ "$(tdz data -o /dev/stdout | tdz -d -o - | cksum)" = "$(cksum <data)" ] || fail "/dev/stdout"
