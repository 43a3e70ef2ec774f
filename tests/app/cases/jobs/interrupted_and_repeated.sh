# SPDX-License-Identifier: Apache-2.0
# Ctrl-C during many files: every result is complete, and the same command with --skip-existing does the rest.
mkdir -p tree/{1..20}
for file in tree/{1..20}/{1..30}; do echo "$file" >"$file"; done
# A silent pipe in the middle keeps the run from ending.
mkfifo pipe
exec 3<>pipe
some_done() { [ "$(find tree -name '*.tdz' | wc -l)" -gt 30 ]; }
"${default_signals[@]}" tdz -q -r tree/? pipe tree/?? &
wait_for some_done
kill -INT $!
exit_code_of $!
# shellcheck disable=SC2154
[ "$code" -eq 130 ] || fail "exit code $code"
first=$(find tree -name '*.tdz' | wc -l)
only_pipe() { [ "$(find . -maxdepth 1 -type p -o -maxdepth 1 -type f)" = ./pipe ]; }
only_pipe || fail "something is left behind"
tdz -t -q -r tree
[ "$(find tree -type f ! -name "*.tdz" | wc -l)" -eq 600 ] || fail "something is left behind in the tree"
tdz -r --skip-existing tree 2>../said
grep -qx "tdz: $first skipped: the target exists" ../said || fail "$(cat ../said)"
[ "$(find tree -name '*.tdz' | wc -l)" -eq 600 ] || fail "not all are done"
tdz -q -d -r tree --output-dir ../back
diff -r --exclude '*.tdz' tree ../back/tree
