#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the source release tdz-VERSION.tar.gz with its SHA-256 beside it. The bytes depend on the files and on SOURCE_DATE_EPOCH;
# without it, on the date of the commit. An unpacked release makes the same release again.
#     dist.sh SOURCE_DIR VERSION FOLDER
set -euo pipefail
source=$1 name=tdz-$2 out=$(realpath "$3")
cd "$source"
export LC_ALL=C

# Ended by zero bytes. A release that was unpacked inside a repository has no .git of its own.
files() {
  if [ -e .git ]; then
    git ls-files -z
  else
    find . -type f -not -path './build*' -not -path './debian/*' -printf '%P\0'
  fi
}

if [ -e .git ]; then date=$(git log -1 --format=%ct); else date=$(stat -c %Y CHANGELOG.md); fi
files | sort -z | tar --create --null --files-from=- --transform="flags=r;s|^|$name/|" --format=gnu --owner=0 --group=0 \
  --numeric-owner --mode='u=rwX,go=rX' --mtime="@${SOURCE_DATE_EPOCH:-$date}" | gzip -n -9 >"$out/$name.tar.gz"
cd "$out"
sha256sum "$name.tar.gz" >"$name.tar.gz.sha256"
cat "$name.tar.gz.sha256"
