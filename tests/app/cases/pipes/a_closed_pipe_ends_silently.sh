# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2016,SC2154
# As with zstd: the program dies of SIGPIPE; if SIGPIPE is ignored, it reports an error.
noise 4000000 >data
tdz data -o packed
status() { "${default_signals[@]}" bash -c "$1"' | head -c 100 >/dev/null; exit ${PIPESTATUS[0]}'; }
for command in 'tdz -c data' 'tdz -dc packed' 'tdz <data' 'tdz -c -T1 data' 'tdz -d <packed'; do
  code=0
  status "$command" || code=$?
  [ $code -eq 141 ] || fail "$command: exit code $code"
done
code=0
status "trap '' PIPE; tdz -dc packed" 2>said || code=$?
[ $code -eq 3 ] || fail "ignored: exit code $code"
cat said
#> tdz: packed: writing (stdout): Broken pipe
