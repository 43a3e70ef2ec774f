# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2086,SC2154
# A signal just before --rm hides the source, or when it has: the run comes to its end, and then dies of the signal.
need_strace
need_unnamed_files
calls_of_rm
noise 100000 >../source
# signalled SIGNAL CALL:N: the signal comes after this call. Removing takes longer than the program waits.
signalled() {
  rm -f data data.tdz
  cp ../source data
  # shellcheck disable=SC2154
  stop_at "$2" unlinkat:delay_enter=1500000 -- "${default_signals[@]}" tdz -T1 --rm data 2>../said
  stopped 1
  kill "-$1" "$(cat "/proc/$tracer/task/$tracer/children")"
  finish
  [ $code -eq $((128 + $(kill -l "$1"))) ] || fail "$*: exit code $code"
  [ ! -s ../said ] || fail "$*: $(cat ../said)"
  tdz -dc data.tdz | cmp - ../source
}
signalled INT "$looks"
only data.tdz
signalled TERM "$hides"
only data.tdz
