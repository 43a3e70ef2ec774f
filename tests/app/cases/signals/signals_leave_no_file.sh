# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2086,SC2154
mkfifo slow
for signal in INT TERM HUP; do
  for target in '-o out slow' '-c slow'; do
    { numbers 3000000; sleep 5; } >slow &
    # shellcheck disable=SC2086
    "${default_signals[@]}" tdz $target >../stream 2>../said &
    sleep 0.3
    kill -$signal $!
    exit_code_of $!
    [ $code -eq $((128 + $(kill -l $signal))) ] || fail "$signal: exit code $code"
    [ ! -s ../said ] || fail "$signal: $(cat ../said)"
    only slow
  done
done
