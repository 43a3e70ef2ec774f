#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Does the program do what its cases say? run_cases.sh TDZ_BINARY TOPIC...
#
# A case is cases/TOPIC/NAME.sh. bash -eu runs it in an empty folder of its own, with lib.sh sourced and `tdz` in the path.
# Comments in the case say what must come out. Each stands at the start of a line:
#   #> TEXT   a line of standard output; TEXT may be a glob
#   #! TEXT   a line of standard error, likewise
#   #= CODE   the exit code
# Without them the case must print nothing and exit with 0. A case that cannot run here says why and exits with 77.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
binary=$(realpath "$1")
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
ln -s "$binary" "$work/bin/tdz"
passed=0 failed=0 skipped=0

# expected MARK CASE: what the case's comments with this mark say.
expected() {
  sed -n "s/^#$1 \\{0,1\\}//p" "$2"
}

# matches EXPECTED FOUND: line by line; each expected line is the found one, or a glob that matches it.
matches() {
  local wanted_lines found_lines i
  mapfile -t wanted_lines <"$1"
  mapfile -t found_lines <"$2"
  [ "${#wanted_lines[@]}" -eq "${#found_lines[@]}" ] || return 1
  for i in "${!wanted_lines[@]}"; do
    local line=${found_lines[i]} wanted=${wanted_lines[i]}
    # shellcheck disable=SC2053  # it is a glob on purpose
    [[ $line == "$wanted" || $line == $wanted ]] || return 1
  done
}

# check NAME WHAT EXPECTED FOUND: says what differs.
check() {
  matches "$3" "$4" && return 0
  echo "not as expected, $2 of $1:"
  diff -u --label expected "$3" --label found "$4" || true
  return 1
}

run_case() {
  local case=$1 name code=0 good=yes wanted_code
  name=$(basename "$(dirname "$case")")/$(basename "$case" .sh)
  local scratch=$work/${name/\//.}
  mkdir "$scratch" "$scratch/in"
  (cd "$scratch/in" && PATH=$work/bin:$PATH TZ=UTC0 LC_ALL=C.UTF-8 \
    bash -eu -o pipefail -c '. "$0"; . "$1"' "$here/lib.sh" "$case" </dev/null >../stdout 2>../stderr) || code=$?
  if [ "$code" -eq 77 ]; then
    echo "skipped $name: $(cat "$scratch/stdout")"
    skipped=$((skipped + 1))
    return
  fi
  expected '>' "$case" >"$scratch/wanted_stdout"
  expected '!' "$case" >"$scratch/wanted_stderr"
  wanted_code=$(expected '=' "$case")
  check "$name" stdout "$scratch/wanted_stdout" "$scratch/stdout" || good=no
  check "$name" stderr "$scratch/wanted_stderr" "$scratch/stderr" || good=no
  if [ "$code" -ne "${wanted_code:-0}" ]; then
    echo "not as expected, exit code of $name: $code, not ${wanted_code:-0}"
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
