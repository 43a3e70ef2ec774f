# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
numbers 3000 >data
tdz -q --log-file log --progress never data
tdz -q -d --log-file log -o copy data.tdz
exits 2 tdz -d --log-file log -o other data
cat log
only copy data data.tdz log
