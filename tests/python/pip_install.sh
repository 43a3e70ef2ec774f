#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Does `pip install .` work in a clean copy of the tree, and does the wheel hold one module for all versions of Python?
# Exits with 77 where pip cannot reach a registry.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

tree=$PWD
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$place" 2>/dev/null
cd "$place"
python3 -m venv env
env/bin/pip install -q --disable-pip-version-check numpy pytest || exit 77
env/bin/pip wheel -q --no-deps -w wheels .
ls wheels/tdz-*-cp311-abi3-linux_*.whl
env/bin/pip install -q --no-index wheels/*.whl

files=$(env/bin/python -c 'import tdz, pathlib; print(*sorted(p.name for p in pathlib.Path(tdz.__file__).parent.iterdir()))')
for file in _core.abi3.so _core.pyi plugins py.typed; do
  [[ " $files " == *" $file "* ]] || { echo "$file is missing in the package: $files"; exit 1; }
done
env/bin/python -m pytest -q -p no:cacheprovider "$tree/tests/python/test_blocks.py" "$tree/tests/python/test_files.py"
