# SPDX-License-Identifier: Apache-2.0
# The error comes before the first measurement.
code=0
tdz bench --size 64T >table 2>said || code=$?
[ $code -eq 4 ] || fail "exit code $code"
grep -q 'this run needs .* of memory and .* are free; ask for a smaller --size' said || fail "$(cat said)"
[ ! -s table ] || fail "there is a table"
