#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Can other readers use what tdz writes? zstd accepts every stream, and the page of Python in FORMAT.md restores it,
# also if streams are concatenated and padded. outside_readers.sh GENERATOR FORMAT.md        exits with 77 if zstd or
# numpy is missing
set -euo pipefail
generator=$1 format=$2
python=python3
"$python" -c 'import numpy' 2>/dev/null || python=/usr/bin/python3
command -v zstd >/dev/null || { echo "Skipped: no zstd program"; exit 77; }
"$python" -c 'import numpy' 2>/dev/null || { echo "Skipped: no numpy"; exit 77; }

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$generator" "$scratch"
sed -n '/^```python$/,/^```$/p' "$format" | sed '/^```/d' >"$scratch/page.py"
[ -s "$scratch/page.py" ] || { echo "FORMAT.md holds no page of Python"; exit 1; }

restores() {  # STREAM ORIGINAL
  "$python" "$scratch/page.py" "$1" "$scratch/restored"
  cmp "$scratch/restored" "$2"
}

count=0
for stream in "$scratch"/*.tdz; do
  original=${stream%.tdz}.bin
  zstd -q -t "$stream"
  zstd -q -l "$stream" >/dev/null
  restores "$stream" "$original"
  count=$((count + 1))
done
[ "$count" -ge 30 ]

# Without steps the residuals are the original.
zstd -q -dc "$scratch/plain.tdz" | cmp - "$scratch/plain.bin"

{ cat "$scratch/i16x2.tdz"; head -c 1000 /dev/zero; cat "$scratch/rows.tdz"; } >"$scratch/both"
cat "$scratch/i16x2.bin" "$scratch/rows.bin" >"$scratch/both.original"
restores "$scratch/both" "$scratch/both.original"
echo "$count streams restored by the page of Python and accepted by zstd"
