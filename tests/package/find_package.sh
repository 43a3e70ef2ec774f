#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Do find_package(tdz) and pkg-config find what `cmake --install` installed, and do the sample programs build and run with it?
#     find_package.sh CMAKE SOURCE_DIR BUILD_DIR CONFIGURATION
set -euo pipefail
cmake=$1 source=$2 build=$3 configuration=$4
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"$cmake" --install "$build" --config "$configuration" --prefix "$scratch/prefix" >"$scratch/installed"
version=$("$scratch/prefix/bin/tdz" --version | sed -nE '1s/^tdz ([0-9.]+).*/\1/p')

for file in bin/tdz include/tdz/tdz.h include/tdz/tdz.hpp include/tdz/plan.hpp include/tdz/block.hpp \
  share/tdz/tdz.magic share/doc/tdz/LICENSE share/doc/tdz/FORMAT.md; do
  [ -s "$scratch/prefix/$file" ] || { echo "not installed: $file"; exit 1; }
done
if grep -rlF --include='*.cmake' --include='*.hpp' -e "$source" -e "$build" "$scratch/prefix"; then
  echo "the files above name the tree they were built in"
  exit 1
fi

"$cmake" -S "$source/tests/package/consumer" -B "$scratch/consumer" -DCMAKE_BUILD_TYPE="$configuration" \
  -DCMAKE_PREFIX_PATH="$scratch/prefix" -DTDZ_WANTED="$version" -DSAMPLES="$source/samples"
"$cmake" --build "$scratch/consumer"
"$scratch/consumer/roundtrip"
"$scratch/consumer/blocks"

# In C without CMake, from a tree that was moved.
mv "$scratch/prefix" "$scratch/moved"
pc=$(find "$scratch/moved" -name tdz.pc)
export PKG_CONFIG_PATH="${pc%/*}"
[ "$(pkg-config --modversion tdz)" = "$version" ]
# shellcheck disable=SC2046
"${CC:-cc}" -std=c11 -Wall -Wextra -pedantic -Werror "$source/samples/blocks.c" $(pkg-config --cflags --libs tdz) -lm \
  -o "$scratch/blocks"
LD_LIBRARY_PATH="$(pkg-config --variable=libdir tdz)" "$scratch/blocks"
