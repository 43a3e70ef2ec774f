#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Does tests/binary_files.md say of every binary file what made it, and are the files those whose digests were noted?
#     binary_files.sh SOURCE_DIR [--note]
# --note writes the digests anew, after a file was added.
set -euo pipefail
# shellcheck source=tests/structure/sources.sh
source "$(dirname "${BASH_SOURCE[0]}")/sources.sh"
export LC_ALL=C.UTF-8
list=tests/binary_files.md digests=tests/binary_files.sha256

# Files with bytes that are no text, and all files of the rows: some of these are text by chance.
# shellcheck disable=SC2016  # backquotes of Markdown
mapfile -t patterns < <(sed -nE 's/^\| `([^`]+)` \|.*/\1/p' "$list")
mapfile -t all < <(sources)
declare -A rows
count=0
for pattern in "${patterns[@]}"; do
  found=0
  for file in "${all[@]}"; do
    # shellcheck disable=SC2053  # a pattern; its * takes no /, as in a shell
    if [[ $file == $pattern && ${file//[^\/]/} == "${pattern//[^\/]/}" ]]; then
      rows[$file]=$((${rows[$file]-0} + 1))
      found=1
    fi
  done
  [ "$found" = 1 ] || fail "$list: no file is $pattern"
done
while IFS= read -r file; do
  if [ -s "$file" ]; then rows[$file]=$((${rows[$file]-0})); fi
done < <(grep -LI '' -- "${all[@]}" || true)
for file in "${!rows[@]}"; do
  count=$((count + 1))
  [ "${rows[$file]}" = 1 ] || fail "$file is in ${rows[$file]} rows of $list"
done

mapfile -t named < <(printf '%s\n' "${!rows[@]}" | LC_ALL=C sort)
if [ "${2-}" = --note ]; then sha256sum -- "${named[@]}" >"$digests"; fi
diff <(printf '%s\n' "${named[@]}") <(cut -c 67- "$digests") || fail "$digests names other files (left: the tree)"
sha256sum --quiet -c "$digests" || fail "a file has changed; a new one must be named in $list, then: $0 . --note"

printf '%s binary files, %s broken rules\n' "$count" "$failures"
[ "$failures" -eq 0 ] && [ "$count" -gt 0 ]
