#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds a wheel for this processor, which needs no compiler and no library of the system but those of C and C++:
#     wheels.sh FOLDER [ARGUMENT OF pip wheel]...
# It holds the module, the program, the HDF5 filter, and the libraries that they need. How new a user's glibc must be is
# part of its name, and depends on the compiler of this machine. It needs what `pip install .` needs.
set -euo pipefail
folder=$(realpath -m "$1")
shift
cd "$(dirname "${BASH_SOURCE[0]}")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python3 -m venv "$work/env"
"$work/env/bin/pip" wheel -q --disable-pip-version-check --no-deps -w "$work/wheel" "$@" .
bash packaging/repair_wheel.sh "$work"/wheel/*.whl "$folder"
