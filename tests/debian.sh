#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Do the Debian packages build from the source release in a bare Debian 12, with their own build dependencies alone? Are the
# packages of two builds equal, does lintian accept them, do their tests pass where they are installed, and does nothing stay
# when they are removed?
#     debian.sh [FOLDER]
# FOLDER, else build/debian, is used anew. Exits with 77 where this cannot run: it needs root, and Debian's packages.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=cmake/packages.sh
source cmake/packages.sh

skip() {
  echo "Skipped: $*"
  exit 77
}

# in_root COMMAND...: runs it inside the Debian of this test. Mounts end with the command.
in_root() {
  # shellcheck disable=SC2016  # the inner shell expands
  unshare --mount --pid --fork --kill-child bash -c '
    mount -t proc proc "$0/proc" && mount --bind /dev "$0/dev" &&
      exec chroot "$0" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive DEB_BUILD_OPTIONS="parallel=$(nproc)" "$@"' "$root" "$@"
}

# make_root [ARGUMENT OF mmdebstrap]...: a bare Debian 12 with the package sources of this machine.
make_root() {
  { cat /etc/apt/sources.list /etc/apt/sources.list.d/*.{list,sources} 2>/dev/null || true; } | # some of them may be missing
    mmdebstrap --variant=buildd "$@" bookworm "$root" - >"$folder/root.log" 2>&1 || return
  cp /etc/resolv.conf "$root/etc/"
}

# build_packages NAME: into NAME of the root. dpkg takes SOURCE_DATE_EPOCH from the changelog.
build_packages() {
  echo "building the packages, $1; the log is $folder/$1.log"
  in_root bash /srv/debian.sh "/srv/$release" "/srv/$1" >"$folder/$1.log" 2>&1 || {
    tail -n 30 "$folder/$1.log"
    return 1
  }
}

[ "$(id -u)" -eq 0 ] || skip "not root"
need mmdebstrap lintian autopkgtest
for tool in mmdebstrap lintian autopkgtest unshare; do command -v "$tool" >/dev/null || skip "no $tool"; done
folder=$PWD/${1:-build/debian}
root=$folder/root
rm -rf "$folder"
mkdir -p "$folder"
make_root || skip "no Debian 12; see $folder/root.log"

version=$(sed -nE 's/^project\(tdz VERSION ([0-9.]+).*/\1/p' CMakeLists.txt)
release=tdz-$version.tar.gz
bash cmake/dist.sh . "$version" "$folder"
mkdir -p "$root/srv"
cp "$folder/$release" packaging/debian.sh "$root/srv/"
tar -C "$root/srv" -xf "$folder/$release"
cp -r "$root/srv/tdz-$version/packaging/debian" "$root/srv/tdz-$version/debian"
in_root bash -c "apt-get update && cd /srv/tdz-$version && apt-get -y --no-install-recommends build-dep ./" >"$folder/depends.log" 2>&1

for name in first second; do build_packages "$name"; done
for package in "$root"/srv/first/*.deb; do cmp "$package" "$root/srv/second/$(basename "$package")"; done
lintian --allow-root --fail-on error,warning "$root"/srv/first/*.changes

# In a second root, which has none of the build dependencies.
mv "$root/srv/first" "$folder/packages"
rm -rf "$root"
make_root --include=apt-utils
rm "$folder"/packages/*-dbgsym_*.deb
autopkgtest --apt-upgrade "$folder"/packages/*.deb "$folder"/packages/*.dsc -- chroot "$root" >"$folder/tests.log" 2>&1 || {
  tail -n 40 "$folder/tests.log"
  exit 1
}
sed -n '/@@@* summary/,$p' "$folder/tests.log"

mkdir -p "$root/srv"
cp "$folder"/packages/*.deb "$root/srv/"
in_root bash -ec '
  apt-get update && apt-get -y --no-install-recommends install /srv/*.deb
  tdz --version
  apt-get -y purge tdz libtdz0 libtdz-dev hdf5-filter-plugin-tdz-serial python3-tdz tdz-doc
  find / -xdev -path /srv -prune -o -path /proc -prune -o -path "/var/lib/apt/*" -prune -o -path "/var/cache/man/*" -prune -o -name "*tdz*" -print >/srv/left' \
  >"$folder/install.log" 2>&1 || { tail -n 30 "$folder/install.log" && exit 1; }
if [ -s "$root/srv/left" ]; then echo "left behind:" && cat "$root/srv/left" && exit 1; fi
echo "$(find "$folder/packages" -name '*.deb' | wc -l) packages: built twice, equal, installed, tested, removed"
