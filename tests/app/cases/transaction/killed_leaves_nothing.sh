# SPDX-License-Identifier: Apache-2.0
need_linux_calls # else a hidden file stays until the next run
noise 3000000 >data
mkfifo slow
{ cat data; exec sleep 5; } >slow &
tdz -o out slow &
sleep 0.3
kill_hard $!
only data slow
