#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Is the source release complete, byte for byte the tree, and are two of them equal, also one made from the other?
#     dist.sh SOURCE_DIR VERSION
set -euo pipefail
source=$1 version=$2
[ -e "$source/.git" ] || { echo "Skipped: not a git checkout" && exit 77; }
for tool in tar gzip git; do command -v "$tool" >/dev/null || { echo "Skipped: no $tool" && exit 77; }; done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch"/{first,second,third}
export SOURCE_DATE_EPOCH=1000000000

bash "$source/cmake/dist.sh" "$source" "$version" "$scratch/first"
(umask 077 && TZ=Asia/Tokyo LC_ALL=C bash "$source/cmake/dist.sh" "$source" "$version" "$scratch/second")
cmp "$scratch"/{first,second}/"tdz-$version.tar.gz"
(cd "$scratch/first" && sha256sum --quiet -c "tdz-$version.tar.gz.sha256")

tar -xf "$scratch/first/tdz-$version.tar.gz" -C "$scratch"
(cd "$source" && git ls-files -z | LC_ALL=C sort -z) >"$scratch/tracked"
(cd "$scratch/tdz-$version" && find . -type f -printf '%P\0' | LC_ALL=C sort -z) | cmp "$scratch/tracked" -
(cd "$source" && xargs -0 sha256sum -- <"$scratch/tracked") >"$scratch/digests"
(cd "$scratch/tdz-$version" && sha256sum --quiet -c "$scratch/digests")
bash "$scratch/tdz-$version/cmake/dist.sh" "$scratch/tdz-$version" "$version" "$scratch/third"
cmp "$scratch"/{first,third}/"tdz-$version.tar.gz"
