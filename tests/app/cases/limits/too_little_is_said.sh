# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
head -c 20000000 /dev/zero >data
tdz --chunk 16MiB data
show tdz --memory 8MiB --chunk 16MiB -o more data
show tdz -d --memory 10M -o out data.tdz
show tdz -t --memory 10M data.tdz
show tdz -d --max-output 19M -o out data.tdz
show tdz -dc --max-output 5 data.tdz
show tdz -d --memory 0 data.tdz
tdz -d --max-output 20000000 -o out data.tdz
same data out
only data data.tdz out
