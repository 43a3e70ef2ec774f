#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Does every source file begin with its licence line (scripts: after #!)?
set -euo pipefail
# shellcheck source=tests/structure/sources.sh
source "$(dirname "${BASH_SOURCE[0]}")/sources.sh"

count=0
while IFS= read -r file; do
  count=$((count + 1))
  if ! head -n 2 -- "$file" | grep -vE '^#!' | head -n 1 | grep -qE '^(//|#|<!--|/\*) SPDX-License-Identifier: Apache-2\.0'; then
    fail "$file: its first line is no 'SPDX-License-Identifier: Apache-2.0'"
  fi
done < <(sources | grep -E '\.(c|cpp|hpp|cu|cuh|h|cmake|cmake\.in|sh|py|magic)$|(^|/)CMakeLists\.txt$|^\.ci/run$')

printf '%s files, %s without\n' "$count" "$failures"
[ "$failures" -eq 0 ] && [ "$count" -gt 0 ]
