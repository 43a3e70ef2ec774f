#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Does samples/cut.py make the samples again, byte for byte, from the Debian packages that samples/README.md names?
#     samples_made_again.sh [ROOT]
# ROOT holds the unpacked packages; without it they are downloaded (180 MB). Exits with 77 if that is not possible, or if
# Debian has other versions meanwhile.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=${1-$work/root}
if [ $# -eq 0 ]; then
  command -v apt-get >/dev/null || { echo "Skipped: no apt-get" && exit 77; }
  mapfile -t packages < <(python3 - samples/README.md <<'END'
import re, sys
print(*sorted({f"{name}={version}" for name, version in re.findall(r"\| ([a-z0-9-]+) ([0-9][\w.+-]*), `", open(sys.argv[1]).read())}), sep="\n")
END
  )
  [ "${#packages[@]}" -gt 0 ] || { echo "samples/README.md names no packages" && exit 1; }
  (cd "$work" && apt-get -qq download "${packages[@]}") || { echo "Skipped: cannot download ${packages[*]}" && exit 77; }
  for package in "$work"/*.deb; do dpkg-deb -x "$package" "$root"; done
fi
mkdir "$work/samples"
cp samples/cut.py "$work/samples"
python3 "$work/samples/cut.py" "$root"
count=0
for made in "$work"/samples/*.bin; do
  cmp "$made" "samples/${made##*/}"
  count=$((count + 1))
done
stored=$(find samples -name '*.bin' | wc -l)
echo "$count of $stored samples made again, the same bytes"
[ "$count" -eq "$stored" ]
