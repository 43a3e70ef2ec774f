#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The same faults for tdz, zstd and xz, and the files that each leaves, as a table: side_by_side.sh TDZ. This is not a test; other
# tests check tdz. Needs strace, zstd and xz.
set -euo pipefail

tdz=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
head -c 2000000 < <(seq 4000000 2>/dev/null) | gzip -1n >noise

pack() {
  case $1 in
    tdz) "$tdz" -q --type u8 -k "${@:2}" ;;
    zstd) zstd -q -k "${@:2}" ;;
    xz) xz -q -1 -k "${@:2}" ;;
  esac
}
unpack() { case $1 in tdz) "$tdz" -q -d -k "${@:2}" ;; zstd) zstd -q -d -k "${@:2}" ;; xz) xz -q -d -k "${@:2}" ;; esac; }
suffix() { case $1 in zstd) echo zst ;; *) echo "$1" ;; esac; }

# what_is FILE ORIGINAL: absent, whole or partial.
what_is() {
  if [ ! -e "$1" ]; then echo absent; elif cmp -s "$1" "$2"; then echo whole; else echo "partial ($(stat -c %s "$1") bytes)"; fi
}

fresh() {
  rm -rf in
  mkdir in
  cp noise in/data
}

full_disk() {
  local packed code=0
  fresh
  packed=in/data.$(suffix "$1")
  pack "$1" -c in/data >good 2>/dev/null
  strace -f -qqq -o /dev/null -e inject=write,pwrite64:error=ENOSPC:when=4+ bash -c "$(declare -f pack); tdz=$tdz; pack $1 in/data" \
    >/dev/null 2>&1 || code=$?
  echo "exit $code, $(what_is "$packed" good)"
}

bad_input() {
  local packed code=0
  fresh
  packed=in/data.$(suffix "$1")
  pack "$1" in/data
  truncate -s -20000 "$packed"
  unpack "$1" -f "$packed" >/dev/null 2>&1 || code=$?
  echo "exit $code, the old file is $(what_is in/data noise)"
}

killed() {
  local packed partial=0 round
  for round in $(seq 20); do
    fresh
    packed=in/data.$(suffix "$1")
    (pack "$1" in/data) 2>/dev/null &
    sleep "0.0$((round % 9 + 1))"
    pkill -KILL -P $! 2>/dev/null || kill -KILL $! 2>/dev/null || true
    { wait $! || true; } 2>/dev/null
    if [ -e "$packed" ] && ! unpack "$1" -c "$packed" >/dev/null 2>&1; then partial=$((partial + 1)); fi
  done
  echo "$partial of 20 left a partial target"
}

flipped() {
  local packed wrong=0 accepted=0 size flip at
  fresh
  head -c 20000 noise >in/data
  packed=in/data.$(suffix "$1")
  pack "$1" "${@:2}" in/data
  size=$(stat -c %s "$packed")
  RANDOM=5
  for flip in $(seq 300); do
    at=$(((RANDOM * 32768 + RANDOM) % size))
    cp "$packed" "in/hurt.$(suffix "$1")"
    printf '%b' "\\x$(printf %02x $((0x$(xxd -p -s $at -l 1 "$packed") ^ (1 << (flip % 8)))))" |
      dd of="in/hurt.$(suffix "$1")" bs=1 seek=$at conv=notrunc status=none
    if unpack "$1" -c "in/hurt.$(suffix "$1")" >out 2>/dev/null; then
      accepted=$((accepted + 1))
      cmp -s out in/data || wrong=$((wrong + 1))
    fi
  done
  echo "$accepted accepted, $wrong of them with other bytes"
}

echo "| accident | tdz | zstd | xz |"
echo "|---|---|---|---|"
for accident in "full_disk:the disk is full from the 4th write on" "bad_input:-d -f of a file cut short, over an old one" \
  "killed:kill -9 at 20 moments" "flipped:300 single bits flipped"; do
  echo "| ${accident#*:} | $(${accident%%:*} tdz) | $(${accident%%:*} zstd) | $(${accident%%:*} xz) |"
done
echo "| the same without checksums (zstd --no-check, xz --check=none) | cannot be turned off | $(flipped zstd --no-check) | $(flipped xz --check=none) |"
