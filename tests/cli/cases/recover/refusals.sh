# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
numbers 5000 >data
tdz data
: >map
show tdz recover data.tdz
show tdz recover data.tdz data -o out
show tdz recover data.tdz -o data
show tdz recover data.tdz -o out --map map
show tdz recover data.tdz -o out --fill maybe
show tdz recover data -o out
show tdz recover missing -o out
cat data.tdz | show tdz recover - -o out
show tdz recover data.tdz -o data.tdz -f
show tdz recover data.tdz -o data --map map -f
only data data.tdz map
