#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Are the tables of docs/cli.md those of the program, and do groff, mandoc and the shells accept what is made from the
# same rows? A tool that is not installed is left out.
#     pages.sh SOURCE_DIR PAGES_TOOL FOLDER_OF_PAGES
set -euo pipefail
source=$1 tool=$2 pages=$3 failures=0

fail() {
  echo "$*"
  failures=$((failures + 1))
}

# clean NAME COMMAND...: the command succeeds and prints nothing.
clean() {
  local name=$1 output
  shift
  command -v "$1" >/dev/null || return 0
  if ! output=$("$@" 2>&1 >/dev/null) || [ -n "$output" ]; then fail "$name:" $'\n'"$output"; fi
}

"$tool" tables <"$source/docs/cli.md" | diff "$source/docs/cli.md" - ||
  fail "docs/cli.md is old; renew it: $tool tables <docs/cli.md >new && mv new docs/cli.md"
clean groff groff -ww -man -Tutf8 "$pages/tdz.1"
if command -v mandoc >/dev/null; then
  lint=$(mandoc -T lint "$pages/tdz.1" || true)
  [ -z "$lint" ] || fail "mandoc:" $'\n'"$lint"
fi
for shell in bash zsh fish; do clean "$shell" "$shell" -n "$pages/$shell"; done
[ "$failures" -eq 0 ]
