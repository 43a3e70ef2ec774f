# SPDX-License-Identifier: Apache-2.0
need script
on_terminal() { script -qec "$1" /dev/null </dev/null | tr -d '\r'; }
numbers 1000 >data
on_terminal 'tdz -c data; echo "[$?]"'
on_terminal 'tdz <data; echo "[$?]"'
on_terminal 'tdz data -o /dev/tty; echo "[$?]"'
on_terminal 'tdz -cf data' | grep -q 'tdz' || fail "-f does not force"
#> tdz: data: compressed data is not written to a terminal; use -o FILE, or -f to write it anyway
#> [1]
#> tdz: (stdin): compressed data is not written to a terminal; use -o FILE, or -f to write it anyway
#> [1]
#> tdz: data: compressed data is not written to a terminal; use -o FILE, or -f to write it anyway
#> [1]
