#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Does the program find libtdz_cuda.so in all its places, and does it say what is wrong with a file that does not fit?
#     loader.sh TDZ STAND_IN OTHER_BUILD LIBRARY_FOLDER
# LIBRARY_FOLDER: from the folder of the program.
set -euo pipefail
if "$1" --version | grep '^built without the calls of Linux'; then exit 77; fi
stand_in=$2 other=$3 from_program=$4
scratch=$(realpath "$(mktemp -d)")
trap 'rm -rf "$scratch"' EXIT
unset TDZ_CUDA_LIBRARY
mkdir -p "$scratch/bin" "$scratch/bin/$from_program"
cp "$1" "$scratch/bin/tdz"
ln -s bin/tdz "$scratch/link"
export LD_LIBRARY_PATH=

# finds PROGRAM: it uses the stand-in.
finds() {
  "$1" devices | grep -q '^0: stand-in, compute capability 9.0' || { echo "$1 has not found ${*:2}"; exit 1; }
}
# says TEXT: `tdz devices` fails with this text.
says() {
  local code=0
  "$scratch/bin/tdz" devices >"$scratch/out" 2>&1 || code=$?
  if [ $code -ne 4 ] || ! grep -qF -- "$1" "$scratch/out"; then
    echo "exit code $code, and not '$1' but:"
    cat "$scratch/out"
    exit 1
  fi
}

TDZ_CUDA_LIBRARY=$stand_in finds "$scratch/bin/tdz" TDZ_CUDA_LIBRARY
for place in "$scratch/bin" "$scratch/bin/$from_program"; do
  cp "$stand_in" "$place/libtdz_cuda.so"
  finds "$scratch/bin/tdz" "$place"
  finds "$scratch/link" "$place"
  PATH=$scratch/bin:$PATH finds tdz "$place"
  rm "$place/libtdz_cuda.so"
done
mkdir "$scratch/other"
cp "$stand_in" "$scratch/other/libtdz_cuda.so"
LD_LIBRARY_PATH=$scratch/other finds "$scratch/bin/tdz" LD_LIBRARY_PATH
# A file that does not fit hides none that does.
cp "$other" "$scratch/bin/libtdz_cuda.so"
LD_LIBRARY_PATH=$scratch/other finds "$scratch/bin/tdz" LD_LIBRARY_PATH
rm "$scratch/bin/libtdz_cuda.so"

# Places that do not exist are no error.
if "$scratch/bin/tdz" devices 2>&1 | grep -F 'cannot open'; then exit 1; fi

TDZ_CUDA_LIBRARY=$other says "was built as tdz 99, but this program as tdz "
TDZ_CUDA_LIBRARY=$scratch/none says "$scratch/none: cannot open shared object file"
TDZ_CUDA_LIBRARY=libc.so.6 says "libc.so.6 is not the CUDA library of tdz"
echo text >"$scratch/text"
TDZ_CUDA_LIBRARY=$scratch/text says "$scratch/text: "
TDZ_CUDA_LIBRARY=$stand_in "$scratch/bin/tdz" --version | grep -qx 'backend cuda: stand-in, compute capability 9.0'
# An exception of the library is the program's.
head -c 100000 /dev/zero | "$scratch/bin/tdz" >"$scratch/file.tdz"
code=0
TDZ_CUDA_LIBRARY=$stand_in "$scratch/bin/tdz" verify --backend cuda "$scratch/file.tdz" 2>"$scratch/out" || code=$?
[ $code -eq 4 ] && grep -q 'out of memory' "$scratch/out" || { cat "$scratch/out"; exit 1; }
