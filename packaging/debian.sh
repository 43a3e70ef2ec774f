#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds Debian packages from a source release, which `cmake --build ... --target dist` makes:
#     debian.sh tdz-VERSION.tar.gz FOLDER [ARGUMENT OF dpkg-buildpackage]...
# dpkg wants the folder debian at the root of the source, so this script copies it there.
set -euo pipefail
release=$(realpath "$1") folder=$2
shift 2
version=$(basename "$release" .tar.gz)
version=${version#tdz-}
mkdir -p "$folder"
cd "$folder"
cp "$release" "tdz_$version.orig.tar.gz"
rm -rf "tdz-$version"
tar -xf "$release"
cd "tdz-$version"
cp -r packaging/debian debian
[[ "$(dpkg-parsechangelog -S Version)" == "$version-"* ]] || {
  echo "packaging/debian/changelog is not about version $version" >&2
  exit 1
}
dpkg-buildpackage -us -uc "$@"
