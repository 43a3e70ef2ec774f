#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Does all of tdz but its tests compile and link for macOS, on a processor of ARM? By zig's clang, which brings Apple's headers
# (package ziglang of PyPI). Headers of other libraries are those of this system; what is inside these libraries stays open, so
# nothing can run. Everything lies in build/macos and is kept for the next time. Exits with 77 where pip cannot reach a registry.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
place=$PWD/build/macos
mkdir -p "$place/include" "$place/packages"
[ -d "$place/env" ] || python3 -m venv "$place/env"
"$place/env/bin/pip" install -q --disable-pip-version-check ziglang==0.17.1 || exit 77

for header in hwy isa-l isa-l.h spdlog fmt CLI nlohmann xxhash.h zstd.h zstd_errors.h; do
  ln -sfn "/usr/include/$header" "$place/include/$header"
done
for library in libzstd libxxhash libisal; do
  printf 'Name: %s\nDescription: its headers\nVersion: 1\nCflags: -I%s\n' $library "$place/include" >"$place/packages/$library.pc"
done
for library in hwy::hwy nlohmann_json::nlohmann_json CLI11::CLI11 spdlog::spdlog; do
  printf 'add_library(%s INTERFACE IMPORTED)\ntarget_include_directories(%s INTERFACE %s)\n' $library $library "$place/include" \
    >"$place/packages/${library%%:*}-config.cmake"
done
echo 'target_compile_definitions(spdlog::spdlog INTERFACE SPDLOG_FMT_EXTERNAL FMT_HEADER_ONLY)' >>"$place/packages/spdlog-config.cmake"
# The linker of zig knows no bundle, which is what a module is on macOS.
for tool in 'c++ -target aarch64-macos' ar ranlib; do
  cat >"$place/${tool%% *}" <<END
#!/bin/sh
export ZIG_GLOBAL_CACHE_DIR=$place/cache ZIG_LOCAL_CACHE_DIR=$place/cache
for word; do
  shift
  [ "\$word" = -bundle ] && word=-dynamiclib
  set -- "\$@" "\$word"
done
exec $place/env/bin/python -m ziglang $tool "\$@"
END
  chmod +x "$place/${tool%% *}"
done

options=(-DCMAKE_SYSTEM_NAME=Darwin -DCMAKE_SYSTEM_PROCESSOR=arm64 -DCMAKE_OSX_SYSROOT= -DCMAKE_CXX_COMPILER="$place/c++"
  -DCMAKE_AR="$place/ar" -DCMAKE_RANLIB="$place/ranlib" -DCMAKE_PREFIX_PATH="$place/packages" -DTDZ_TESTS=OFF
  -DTDZ_PRECOMPILED_HEADERS=OFF)
for kind in EXE SHARED MODULE; do options+=("-DCMAKE_${kind}_LINKER_FLAGS=-Wl,-undefined,dynamic_lookup"); done
compile() {
  PKG_CONFIG_LIBDIR=$place/packages cmake -S . -B "$place/build" -G Ninja -DCMAKE_BUILD_TYPE=Release "${options[@]}" || return
  cmake --build "$place/build" -j "$(nproc)"
}
if ! compile >"$place/log.txt" 2>&1; then
  grep -A 5 -E 'error:|Error' "$place/log.txt" | head -n 100
  tail -n 5 "$place/log.txt"
  exit 1
fi
file "$place/build/app/tdz" | grep 'Mach-O 64-bit arm64 executable'
