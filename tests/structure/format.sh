#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Is every source file as .clang-format says? format.sh SOURCE_DIR [--fix]: with --fix it formats the files that are not.
# Needs the clang-format of Debian 12, version 14, because versions differ; exits with 77 where it is missing.
set -euo pipefail
# shellcheck source=tests/structure/sources.sh
source "$(dirname "${BASH_SOURCE[0]}")/sources.sh"

format=$(command -v clang-format-14 || command -v clang-format) || exit 77
[[ $("$format" --version) == *'version 14.'* ]] || exit 77
mapfile -t files < <(sources | grep -E '\.(c|cpp|hpp|cu|cuh|h)$')

differing() {
  printf '%s\0' "${files[@]}" | xargs -0 "$format" --dry-run 2>&1 | sed -n 's/^\([^ :]*\):[0-9]*:[0-9]*: warning: .*/\1/p' | sort -u
}

mapfile -t bad < <(differing)
if [ "${2:-}" = --fix ] && [ "${#bad[@]}" -gt 0 ]; then
  "$format" -i "${bad[@]}"
  printf 'formatted %s\n' "${bad[@]}"
  exit
fi
for file in "${bad[@]}"; do fail "$file is not formatted; mend it: bash tests/structure/format.sh . --fix"; done
# clang-format cuts no string. The expected texts of tests may be long.
mapfile -t long < <(printf '%s\n' "${files[@]}" | grep -v '^tests/' | xargs awk 'length > 110 { print FILENAME ":" FNR }')
for place in "${long[@]}"; do fail "$place has more than 110 columns"; done
printf '%s files, %s findings\n' "${#files[@]}" "$failures"
[ "$failures" -eq 0 ]
