# SPDX-License-Identifier: Apache-2.0
numbers 300000 >data
tdz analyze data >report
command=$(tail -n 1 report)
case $command in *" data") ;; *) fail "the last line is no command: $command" ;; esac
tdz -c data >chosen
# shellcheck disable=SC2086
tdz -c ${command#*tdz } >asked
steps() { tdz info --chunks "$1" | tail -n 1 | sed 's/.*words/words/'; }
[ "$(steps chosen)" = "$(steps asked)" ] || fail "compress chose $(steps chosen), the command gives $(steps asked)"
grep -c "ratio by order" report
only chosen asked data report
#> 1
