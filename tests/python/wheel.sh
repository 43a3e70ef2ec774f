#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Does a clean copy of the tree give a wheel that works where there is no compiler and no library that tdz needs? It is tried in a virtual
# environment, and as root in a bare Debian 12 and 13, with Python 3.11 and 3.13.
#     wheel.sh [WHEEL]
# tries this wheel. Exits with 77 where pip cannot reach a registry.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=cmake/packages.sh
source cmake/packages.sh

tree=$PWD
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
mkdir "$place/tree" "$place/wheels"
git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$place/tree" 2>/dev/null

# The wheels of others, for each Python that is tried.
for version in 3.11 3.13; do
  python3 -m pip download -q --disable-pip-version-check --only-binary :all: --python-version "$version" -d "$place/wheels" \
    numpy pytest h5py fsspec || exit 77
done
if [ $# -gt 0 ]; then cp "$1" "$place/wheels"; else bash "$place/tree/packaging/wheels.sh" "$place/wheels"; fi
wheel=$(ls "$place"/wheels/tdz-*-cp311-abi3-manylinux_*.whl)
echo "$(basename "$wheel"): $(stat -c %s "$wheel") bytes"

# What is in it: one codec for two modules, and the licences of what others wrote.
unpacked=$place/unpacked
python3 -m zipfile -e "$wheel" "$unpacked"
for file in tdz/{_core.abi3.so,_core.pyi,libtdz_python.so,plugins/libh5tdz.so,py.typed,tdz} tdz-*.dist-info/licenses/{LICENSE,libzstd.txt,libxxhash.txt,libisal.txt,libspdlog.txt,libseccomp.txt}; do
  compgen -G "$unpacked/$file" >/dev/null || { echo "$file is missing in the wheel" && exit 1; }
done
for file in "$unpacked"/tdz/{_core.abi3.so,plugins/libh5tdz.so}; do
  [ "$(stat -c %s "$file")" -lt 1000000 ] || { echo "$file holds a codec of its own" && exit 1; }
done

cat >"$place/try.sh" <<'END'
# try.sh FOLDER: in it lie the wheels and the tests.
set -euo pipefail
export PYTHONDONTWRITEBYTECODE=1
begin=$(date +%s%N)
python3 -m venv "$1/env"
"$1/env/bin/pip" install -q --disable-pip-version-check --no-index --find-links "$1/wheels" tdz numpy
"$1/env/bin/python" -c 'import numpy, tdz
tdz.save("/tmp/a.npy.tdz", numpy.arange(10)); assert tdz.load("/tmp/a.npy.tdz").sum() == 45'
echo "$(("$(date +%s%N)" / 1000000 - begin / 1000000)) ms from nothing to a restored array"
"$1/env/bin/pip" install -q --disable-pip-version-check --no-index --find-links "$1/wheels" pytest h5py fsspec
"$1/env/bin/tdz" --version
[ "$("$1/env/bin/python" -m tdz --version)" = "$("$1/env/bin/tdz" --version)" ]
seq 100000 >/tmp/numbers
"$1/env/bin/tdz" -c /tmp/numbers | "$1/env/bin/tdz" -d | cmp - /tmp/numbers
if "$1/env/bin/tdz" -d /tmp/numbers; then exit 1; fi
cd "$1/tests"
"$1/env/bin/python" -m pytest -q -p no:cacheprovider test_blocks.py test_files.py test_arrays.py test_fsspec.py test_hdf5.py \
  -k 'not sample and not program and not h5repack and not nccopy and not h5dump and not all_who_name'
END

echo "== a virtual environment of $(python3 --version)"
mkdir "$place/here"
cp -r "$place/wheels" "$tree/tests/python" "$place/here/"
mv "$place/here/python" "$place/here/tests"
bash "$place/try.sh" "$place/here"

# bare SUITE: a Debian with Python and nothing else.
bare() {
  { cat /etc/apt/sources.list /etc/apt/sources.list.d/*.{list,sources} 2>/dev/null || true; } | sed "s/bookworm/$1/g" |
    mmdebstrap --variant=minbase --include=python3,python3-venv "$1" "$place/$1" - >"$place/$1.log" 2>&1 || {
    echo "Skipped: there is no Debian $1 here" && tail -n 3 "$place/$1.log"
    return 0
  }
  mkdir "$place/$1/srv/try"
  cp -r "$place/here/wheels" "$place/here/tests" "$place/try.sh" "$place/$1/srv/try/"
  # shellcheck disable=SC2016  # the inner shell expands
  unshare --mount --pid --fork --kill-child bash -c '
    mount -t proc proc "$0/proc" && mount --bind /dev "$0/dev" && exec chroot "$0" /usr/bin/env -i PATH=/usr/bin:/bin HOME=/root \
      LANG=C.UTF-8 bash /srv/try/try.sh /srv/try' "$place/$1"
}

if [ "$(id -u)" -ne 0 ]; then exit 0; fi
need mmdebstrap
for suite in bookworm trixie; do
  echo "== a bare Debian, $suite"
  bare "$suite"
done
