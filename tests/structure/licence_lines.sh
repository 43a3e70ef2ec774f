#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Does every source file begin with its licence line (scripts: after #!)?
set -euo pipefail
# shellcheck source=tests/structure/sources.sh
source "$(dirname "${BASH_SOURCE[0]}")/sources.sh"

licence='^(//|#|<!--|/\*) SPDX-License-Identifier: Apache-2\.0'
count=0
while IFS= read -r file; do
  count=$((count + 1))
  {
    IFS= read -r line || true
    if [[ $line == '#!'* ]]; then IFS= read -r line || true; fi
  } <"$file"
  [[ $line =~ $licence ]] || fail "$file: its first line is no 'SPDX-License-Identifier: Apache-2.0'"
done < <(sources | grep -E '\.(c|cpp|hpp|cu|cuh|h|cmake|cmake\.in|sh|py|magic)$|(^|/)CMakeLists\.txt$|^\.ci/run$')

printf '%s files, %s without\n' "$count" "$failures"
[ "$failures" -eq 0 ] && [ "$count" -gt 0 ]
