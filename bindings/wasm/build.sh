#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the package for browsers and Node: build.sh FOLDER. Needs Debian's emscripten, cmake, ninja-build, libhwy-dev and
# libxxhash-dev; and the source of zstd. TDZ_ZSTD names its folder (with lib/zstd.h); without it apt-get fetches Debian's
# source package, with lists of its own, so that nothing of the system changes. 77 where something is missing.
set -euo pipefail
[ $# -eq 1 ] || { echo "usage: build.sh FOLDER" >&2; exit 2; }
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
work=${TDZ_WASM_BUILD:-$here/../../build/wasm}
mkdir -p "$work"
work=$(cd "$work" && pwd)

missing() {
  echo "$1"
  exit 77
}
command -v emcmake >/dev/null || missing "no emscripten here"
command -v ninja >/dev/null || missing "no ninja here"

# Files of this machine that any compiler may read: its other headers are not for WebAssembly.
headers=$work/headers
mkdir -p "$headers"
for header in hwy xxhash.h; do
  [ -e "/usr/include/$header" ] || missing "no /usr/include/$header here"
  ln -sfn "/usr/include/$header" "$headers/$header"
done

# fetch_zstd: Debian's source package, checked by apt's signatures, to $work/zstd.
fetch_zstd() {
  local apt=$work/apt key=/usr/share/keyrings/debian-archive-keyring.gpg options
  command -v dpkg-source >/dev/null && [ -e $key ] || return
  mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
  echo "deb-src [signed-by=$key] http://deb.debian.org/debian bookworm main" >"$apt/sources.list"
  options=(-qq -o "Dir::State=$apt" -o "Dir::Cache=$apt/cache" -o "Dir::Etc::SourceList=$apt/sources.list"
    -o Dir::Etc::SourceParts=/dev/null -o Acquire::Retries=2 -o APT::Sandbox::User="$(id -un)")
  apt-get "${options[@]}" update && (cd "$apt" && apt-get "${options[@]}" source --download-only libzstd) || return
  rm -rf "$work/zstd"
  dpkg-source --no-check -x "$apt"/libzstd_*.dsc "$work/zstd" >"$work/zstd.log" 2>&1
}

zstd=${TDZ_ZSTD:-$work/zstd}
if [ ! -e "$zstd/lib/zstd.h" ]; then
  [ -z "${TDZ_ZSTD-}" ] || missing "TDZ_ZSTD is $TDZ_ZSTD, and there is no lib/zstd.h in it"
  fetch_zstd || missing "the source of zstd could not be fetched; name its folder in TDZ_ZSTD"
fi

configure=(-S "$here" -B "$work/module" -DTDZ_ZSTD="$zstd" -DTDZ_HEADERS="$headers" "-DTDZ_WASM_NAMES=${TDZ_WASM_NAMES:-OFF}")
[ -e "$work/module/CMakeCache.txt" ] || configure+=(-G Ninja)
log=$work/module.log
if ! { emcmake cmake "${configure[@]}" && cmake --build "$work/module" -j "$(nproc)"; } >"$log" 2>&1; then
  sed -n '/^FAILED:/,$p' "$log" | head -n 60
  echo "the module was not built; the log is $log"
  exit 1
fi
cp "$here"/{index.js,index.d.ts,package.json,README.md} "$here/../../LICENSE" "$work/module/tdz.wasm" "$folder/"
# What is compiled in wants its notices beside it.
mkdir -p "$folder/licences"
cp "$zstd/LICENSE" "$folder/licences/zstd"
for package in libxxhash-dev libhwy-dev emscripten; do
  [ ! -e "/usr/share/doc/$package/copyright" ] || cp "/usr/share/doc/$package/copyright" "$folder/licences/$package"
done
