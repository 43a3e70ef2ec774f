#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the fuzzers as OSS-Fuzz and ClusterFuzzLite want them: for each target a program of its name in $OUT, with its
# first inputs in TARGET_seed_corpus.zip and its limits in TARGET.options. Their image sets CC, CXX, CFLAGS, CXXFLAGS,
# LIB_FUZZING_ENGINE, OUT and WORK, and runs this.
#     build.sh [TARGET...]
# Without TARGET all targets. JOBS is how many files to compile at a time (as many as there are processors).
# tests/fuzz/oss-fuzz/README.md says which library comes from where.
set -euo pipefail
: "${CXX:?}" "${CXXFLAGS:?}" "${LIB_FUZZING_ENGINE:?}" "${OUT:?}" "${WORK:?}"
tree=$(cd "$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../../.." && pwd)
jobs=${JOBS:-$(nproc)}

# The distribution's C++ libraries, hwy and spdlog, stand on libstdc++, and libc++ has std::jthread as an experiment.
CXXFLAGS=${CXXFLAGS//-stdlib=libc++/}
# Differences and sums of words wrap around by definition. OSS-Fuzz's list of undefined behaviour has this one, which C++ defines.
export CXXFLAGS="$CXXFLAGS -fno-sanitize=unsigned-integer-overflow"

# The flags of the image are all: a build type without flags of its own. Fuzzers find $OUT/lib from any folder; an old
# RPATH, unlike RUNPATH, also tells the libraries in it where the others are.
cmake -S "$tree" -B "$WORK/tdz" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CXX_FLAGS_RELWITHDEBINFO= \
  -DCMAKE_BUILD_RPATH="\$ORIGIN/lib" -DCMAKE_EXE_LINKER_FLAGS=-Wl,--disable-new-dtags \
  -DTDZ_CUDA=OFF -DTDZ_HDF5=OFF -DTDZ_PRECOMPILED_HEADERS=OFF -DTDZ_FUZZ=ON -DTDZ_FUZZ_ENGINE="$LIB_FUZZING_ENGINE"
cmake --build "$WORK/tdz" -j "$jobs" --target tdz_fuzz tdz_fuzz_seeds
built=$WORK/tdz/tests/fuzz

mapfile -t known < <(TDZ_FUZZ='' "$built/tdz_fuzz" 2>&1 | tail -n +2)
targets=("${known[@]}")
[ $# -eq 0 ] || targets=("$@")
# A search for leaks needs ptrace, which a container may lack.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0 "$built/tdz_fuzz_seeds" "$WORK/seeds"
mkdir -p "$OUT/lib"
for target in "${targets[@]}"; do
  [[ " ${known[*]} " == *" $target "* ]] || { echo "no target is named $target; there are: ${known[*]}" >&2 && exit 1; }
  cp "$built/tdz_fuzz" "$OUT/$target"
  cp "$tree/tests/fuzz/libfuzzer.options" "$OUT/$target.options"
  # Where it runs, a seed corpus is all that a fuzzer has of this tree: the inputs that once broke one are among them.
  cp "$tree"/tests/fuzz/regressions/* "$WORK/seeds/$target"
  (cd "$WORK/seeds/$target" && cmake -E tar cf "$OUT/${target}_seed_corpus.zip" --format=zip -- *)
done

# What is shared goes along, except the C library: that of the machine belongs to its loader.
ldd "$built/tdz_fuzz" | awk '$2 == "=>" { print $1, $3 }' | while read -r name file; do
  [ -e "$file" ] || { echo "$name is not found" >&2 && exit 1; }
  case $name in
    libc.so.* | libm.so.* | libdl.so.* | libpthread.so.* | librt.so.* | libresolv.so.*) ;;
    *) cp -L "$file" "$OUT/lib/$name" ;;
  esac
done
echo "${#targets[@]} of ${#known[@]} targets are in $OUT"
