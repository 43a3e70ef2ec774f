# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced before every case.

# Sanitized programs under strace, and those that are killed, must not be asked for leaks.
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

# show COMMAND...: a transcript of the command, all it says, and its exit code if it is not 0.
show() {
  local code=0
  echo "\$ $*"
  "$@" 2>&1 || code=$?
  [ "$code" -eq 0 ] || echo "[$code]"
}

# exits CODE COMMAND...: the command, silent, must exit with that code.
exits() {
  local wanted=$1 code=0
  shift
  "$@" >/dev/null 2>&1 || code=$?
  [ "$code" -eq "$wanted" ] || fail "exit code $code, not $wanted: $*"
}

# For what counts moments or calls: a sanitizer slows the program down, and makes calls of its own.
need_own_pace() {
  [ -z "${TDZ_TEST_SANITIZED:-}" ] || skip "a sanitizer is at work"
}

same() {
  cmp -- "$1" "$2" || fail "$1 and $2 differ"
}

# only NAME...: nothing else is in this folder, hidden files included.
only() {
  local found
  found=$(find . -mindepth 1 -printf '%P\n' | sort | tr '\n' ' ')
  [ "$found" = "$({ [ $# -eq 0 ] || printf '%s\n' "$@"; } | sort | tr '\n' ' ')" ] || fail "found here: $found"
}

# numbers BYTES [FIRST]: data that differs from line to line and shrinks well.
numbers() {
  head -c "$1" < <(seq "${2:-1}" 100000000 2>/dev/null)
}

# noise BYTES: data that does not shrink, always the same.
noise() {
  head -c "$1" < <(seq 100000000 2>/dev/null | gzip -1n 2>/dev/null)
}

# wait_for COMMAND...: until it succeeds, at most 10 seconds.
wait_for() {
  local tries
  for tries in $(seq 200); do
    "$@" && return
    sleep 0.05
  done
  fail "in vain after $tries tries: $*"
}

# injecting SPEC... -- COMMAND...: the command with system calls that fail as strace's inject says. One thread does all.
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
  strace -f -qqq -o /dev/null true 2>/dev/null || skip "strace may not trace here"
}

# tmpfile_call COMMAND...: which openat of the command (1, 2, ...) asks for an unnamed file.
tmpfile_call() {
  strace -f -qqq -o ../calls -e trace=openat "$@"
  grep openat ../calls | grep -n O_TMPFILE | head -n 1 | cut -d : -f 1
}

# Before a command: it gets the signals that a shell keeps from what it runs in the background. An array and no function, so
# that $! is the command.
# shellcheck disable=SC2034  # for the cases
open_to_signals=(env --default-signal=INT --default-signal=TERM --default-signal=HUP --default-signal=PIPE)

# kill_hard PID: kills it and waits, without the shell's remarks.
kill_hard() {
  code=0
  { kill -KILL "$1"; wait "$1" || code=$?; } 2>/dev/null
}

# exit_code_of PID: sets `code`, without the shell's remarks on how it ended.
exit_code_of() {
  code=0
  { wait "$1" || code=$?; } 2>/dev/null
}
