# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
numbers 1000 | tee a >b
mkdir tree
show tdz -r
show tdz -r tree -o out
show tdz --filelist - -o out
show tdz --filelist - - </dev/null
show tdz --filelist - --filelist0 - </dev/null
show tdz a --output-dir out -o b
show tdz a --output-dir out -c
show tdz a --skip-existing -f
show tdz a --skip-existing -c
show tdz a --output-dir ''
show tdz a --filelist
show tdz -d -r tree --range 0:5
show tdz analyze -r tree
show tdz recover -r tree -o out
only a b tree
