# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
numbers 1000 >data
ln -s data link
mkfifo pipe
show tdz --rm link
show tdz --rm -o /dev/null data
show tdz --rm -c data
numbers 1000 >pipe &
show tdz --rm -o out pipe
only data link pipe
tdz -k --rm data
only data data.tdz link pipe
