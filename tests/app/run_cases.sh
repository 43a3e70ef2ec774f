#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Does the program do what its cases say? run_cases.sh TDZ_BINARY TOPIC...
#
# A case is cases/TOPIC/NAME.sh, run by bash -eu in an empty folder of its own, with lib.sh sourced and `tdz` in the path.
# Beside it stand what it must print, NAME.stdout and NAME.stderr (a line may be a glob; no file: nothing), and its exit
# code, NAME.exit (no file: 0). A case that cannot run here says why and exits 77.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
binary=$(realpath "$1")
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
ln -s "$binary" "$work/bin/tdz"
passed=0 failed=0 skipped=0

# matches EXPECTED FOUND: line by line, each expected line a glob.
matches() {
  local wanted_lines found_lines i
  mapfile -t wanted_lines <"$1"
  mapfile -t found_lines <"$2"
  [ "${#wanted_lines[@]}" -eq "${#found_lines[@]}" ] || return 1
  for i in "${!wanted_lines[@]}"; do
    local line=${found_lines[i]} wanted=${wanted_lines[i]}
    # shellcheck disable=SC2053  # a glob is what it is meant to be
    [[ $line == "$wanted" || $line == $wanted ]] || return 1
  done
}

# check NAME WHAT EXPECTED FOUND: complains of a difference.
check() {
  local expected=$3
  [ -e "$expected" ] || expected=/dev/null
  matches "$expected" "$4" && return 0
  echo "not as expected, $2 of $1:"
  diff -u --label expected "$expected" --label found "$4" || true
  return 1
}

run_case() {
  local case=$1 base=${1%.sh} name code=0 good=yes
  name=$(basename "$(dirname "$case")")/$(basename "$base")
  local scratch=$work/${name/\//.}
  mkdir "$scratch" "$scratch/in"
  (cd "$scratch/in" && PATH=$work/bin:$PATH TZ=UTC0 LC_ALL=C.UTF-8 \
    bash -eu -o pipefail -c '. "$0"; . "$1"' "$here/lib.sh" "$case" </dev/null >../stdout 2>../stderr) || code=$?
  if [ "$code" -eq 77 ]; then
    echo "skipped $name: $(cat "$scratch/stdout")"
    skipped=$((skipped + 1))
    return
  fi
  check "$name" stdout "$base.stdout" "$scratch/stdout" || good=no
  check "$name" stderr "$base.stderr" "$scratch/stderr" || good=no
  if [ "$code" -ne "$(cat "$base.exit" 2>/dev/null || echo 0)" ]; then
    echo "not as expected, exit code of $name: $code"
    good=no
  fi
  if [ $good = yes ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
  rm -rf "$scratch"
}

for topic in "$@"; do
  for case in "$here/cases/$topic"/*.sh; do run_case "$case"; done
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] || exit 1
[ "$passed" -gt 0 ] || exit 77
