#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Are the golden streams what their generator writes? Every byte, with the zstd that wrote them.
#     made_again.sh GENERATE TDZ
set -euo pipefail
here=$(dirname "${BASH_SOURCE[0]}")
generate=$1 tdz=$2 wrote=1.5.4
# Of an earlier search, which packed these otherwise: today's writer gives other bytes of the same original.
other=(packed_several_chunks.tdz grid_i16_volume.tdz grid_u24.tdz grid_u8x3.tdz)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$generate" "$work"
(cd "$work" && find . -name '*.tdz' -printf '%P\n' | sort) >"$work/made"
(cd "$here/v1" && find . -type f -printf '%P\n' | sort) | diff - "$work/made" || { echo "other names are stored (left)" && exit 1; }
while IFS= read -r name; do
  "$tdz" -dc "$here/v1/$name" | cmp - "$work/${name%.tdz}.bin"
done <"$work/made"
has=$("$tdz" --version | sed -n 's/^zstd //p')
[ "$has" = "$wrote" ] || { echo "Skipped: zstd $wrote wrote the streams, and this is zstd $has; the originals agree" && exit 77; }
same=0
while IFS= read -r name; do
  [[ " ${other[*]} " != *" $name "* ]] || continue
  cmp "$here/v1/$name" "$work/$name"
  same=$((same + 1))
done <"$work/made"
echo "$same streams have the bytes that the generator writes, and ${#other[@]} its original"
[ "$same" -gt 0 ]
