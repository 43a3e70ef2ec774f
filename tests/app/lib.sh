# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced before every case.

# The leak check does not work under strace, and not for programs that are killed.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"

fail() {
  echo "failed: $*" >&2
  exit 99
}

skip() {
  echo "$*"
  exit 77
}

need() {
  command -v "$1" >/dev/null || skip "$1 is not installed"
}

# show COMMAND...: prints the command, all of its output, and its exit code if it is not 0.
show() {
  local code=0
  echo "\$ $*"
  "$@" 2>&1 || code=$?
  [ "$code" -eq 0 ] || echo "[$code]"
}

# exits CODE COMMAND...: the command must exit with this code. Its output is not shown.
exits() {
  local wanted=$1 code=0
  shift
  "$@" >/dev/null 2>&1 || code=$?
  [ "$code" -eq "$wanted" ] || fail "exit code $code, not $wanted: $*"
}

# For cases that depend on time or count system calls: a sanitizer slows the program down and makes more calls.
need_no_sanitizer() {
  [ -z "${TDZ_TEST_SANITIZED:-}" ] || skip "this build has a sanitizer"
}

same() {
  cmp -- "$1" "$2" || fail "$1 and $2 differ"
}

# only NAME...: the folder contains these files, hidden files included, and nothing else.
only() {
  local found
  found=$(find . -mindepth 1 -printf '%P\n' | sort | tr '\n' ' ')
  [ "$found" = "$({ [ $# -eq 0 ] || printf '%s\n' "$@"; } | sort | tr '\n' ' ')" ] || fail "the folder contains: $found"
}

# numbers BYTES [FIRST]: different lines of text that compress well.
numbers() {
  head -c "$1" < <(seq "${2:-1}" 100000000 2>/dev/null)
}

# noise BYTES: always the same data, which does not compress.
noise() {
  head -c "$1" < <(seq 100000000 2>/dev/null | gzip -1n 2>/dev/null)
}

# wait_for COMMAND...: repeats the command until it succeeds, for at most 10 seconds.
wait_for() {
  local tries
  for tries in $(seq 200); do
    "$@" && return
    sleep 0.05
  done
  fail "no success after $tries tries: $*"
}

# injecting SPEC... -- COMMAND...: runs the command; system calls fail as described in strace's inject.
injecting() {
  local specs=()
  while [ "$1" != -- ]; do
    specs+=(-e "inject=$1")
    shift
  done
  shift
  strace -f -qqq -o /dev/null "${specs[@]}" "$@"
}

need_strace() {
  need strace
  strace -f -qqq -o /dev/null true 2>/dev/null || skip "strace is not allowed here"
}

# stop_at CALL:N... -- COMMAND...: starts the command in the background. It stops itself after each of these calls, the
# N-th of its kind. Other specs of strace's inject are taken too. Sets `tracer`.
stop_at() {
  local specs=()
  while [ "$1" != -- ]; do
    if [[ ${1#*:} =~ ^[0-9]+$ ]]; then specs+=(-e "inject=${1%:*}:signal=STOP:when=${1#*:}"); else specs+=(-e "inject=$1"); fi
    shift
  done
  shift
  rm -f ../trace
  strace -f -qqq -o ../trace "${specs[@]}" "$@" &
  tracer=$!
}

# stopped N: waits until the command of stop_at has stopped N times.
stopped() {
  is_stopped() { [ "$(grep -c 'SIGSTOP {' ../trace 2>/dev/null)" = "$1" ] && tail -n 1 ../trace | grep -q 'stopped by'; }
  wait_for is_stopped "$1"
}

# go_on: lets it continue. finish: the same; waits for its end and sets `code`.
go_on() {
  kill -CONT "$(cat "/proc/$tracer/task/$tracer/children")"
}
finish() {
  go_on
  exit_code_of "$tracer"
}

# Whether the program was built with the calls of Linux that POSIX does not have (TDZ_LINUX_CALLS).
has_linux_calls() {
  ! tdz --version | grep -q '^built without the calls of Linux'
}

need_linux_calls() {
  has_linux_calls || skip "this tdz is built without the calls of Linux"
}

# For cases that count calls: where the file system has no unnamed files (O_TMPFILE) the program makes others.
need_unnamed_files() {
  need python3
  ! has_linux_calls || python3 -c 'import os; os.open(".", os.O_TMPFILE | os.O_RDWR)' 2>/dev/null || skip "no unnamed files here"
}

# tmpfile_call COMMAND...: the number of the openat call (1, 2, ...) that opens an unnamed file; one that never comes if none does.
tmpfile_call() {
  local calls
  strace -f -qqq -o ../calls -e trace=openat "$@"
  calls=$(grep openat ../calls | grep -n O_TMPFILE || echo 65535:)
  echo "${calls%%:*}"
}

# calls_of_rm: for a run with --rm whose target is new, sets after which call it has looked at its source, which one hides the
# source, and the number of the unlinkat that removes it. Without the calls of Linux the result was hidden and locked before.
# shellcheck disable=SC2034  # the cases use them
calls_of_rm() {
  looks=flock:2 hides=renameat2:1 removal=1
  has_linux_calls || looks=flock:3 hides=renameat:1 removal=2
}

# Put it before a command in the background: the shell would start the command with these signals ignored. It is an array,
# not a function, so that $! is the command.
# shellcheck disable=SC2034  # the cases use it
default_signals=(env --default-signal=INT --default-signal=TERM --default-signal=HUP --default-signal=PIPE)

# kill_hard PID: kills it and waits, without messages of the shell.
kill_hard() {
  code=0
  { kill -KILL "$1"; wait "$1" || code=$?; } 2>/dev/null
}

# exit_code_of PID: waits for it and sets `code`, without messages of the shell.
exit_code_of() {
  code=0
  { wait "$1" || code=$?; } 2>/dev/null
}
