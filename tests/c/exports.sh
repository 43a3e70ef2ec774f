#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Does libtdz.so show all functions of tdz.h, and nothing else? And does nulls.c call each of them?
#     exports.sh LIBRARY HEADER
set -euo pipefail
library=$1 header=$2

shown=$(nm -D --defined-only "$library" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort)
promised=$(grep -E '^TDZ_API ' "$header" | grep -oE '\btdz_[a-z0-9_]+\(' | tr -d '(' | sort)
[ -n "$promised" ]
diff <(echo "$promised") <(echo "$shown") || { echo "< promised by tdz.h, > shown by the library"; exit 1; }
called=$(grep -oE '\btdz_[a-z0-9_]+\(' "$(dirname "${BASH_SOURCE[0]}")/nulls.c" | tr -d '(' | sort -u)
missing=$(comm -23 <(echo "$promised") <(echo "$called"))
[ -z "$missing" ] || { echo "nulls.c does not call $missing"; exit 1; }
readelf -d "$library" | grep -q 'SONAME.*\[libtdz\.so\.0\]' || { echo "the soname is not libtdz.so.0"; exit 1; }
