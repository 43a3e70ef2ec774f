# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2002
numbers 1000 >data
tdz data
cat data.tdz | show tdz info
cat data.tdz | show tdz -l -
show tdz info <(cat data.tdz)
