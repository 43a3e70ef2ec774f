#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Is the tree free of paths of other machines, merge markers and blanks at the ends of lines?
set -euo pipefail
# shellcheck source=tests/structure/sources.sh
source "$(dirname "${BASH_SOURCE[0]}")/sources.sh"

mapfile -t files < <(sources | grep -vE '\.(bin|tdz|zst|png|stdout)$|^LICENSE$|^tests/structure/no_foreign_paths\.sh$')

# forbid PATTERN WHY
forbid() {
  local hits
  hits=$(grep -InE -- "$1" "${files[@]}" /dev/null | cut -c1-160 || true)
  if [ -n "$hits" ]; then fail "$2:" $'\n'"$hits"; fi
}

forbid '/(work|home|root)/[A-Za-z0-9_.]' 'a path of one machine'
forbid '^(<<<<<<<|>>>>>>>) ' 'a merge marker'
forbid '[[:blank:]]+$' 'a blank at the end of a line'

printf '%s files, %s broken rules\n' "${#files[@]}" "$failures"
[ "$failures" -eq 0 ]
