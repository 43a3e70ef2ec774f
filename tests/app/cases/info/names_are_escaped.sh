# SPDX-License-Identifier: Apache-2.0
# Control characters in names do not reach the terminal.
numbers 1000 >data
tdz --word 1 --order 0 data -o "$(printf 'a\033[2Jb')"
tdz info a* | tail -n 1 | grep -o 'a[^ ]*b$'
#> a\x1b[2Jb
