# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced: `sources` lists the project's own files, one a line, from the tree given as $1.
cd "$1" || exit

sources() {
  if [ -e .git ] && git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    git ls-files --cached --others --exclude-standard
  else
    find . -type f -not -path './build*' -not -path './.git/*' | sed 's|^\./||'
  fi | sort
}

failures=0
fail() {
  printf '%s\n' "$*"
  failures=$((failures + 1))
}
