#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Do the tools that read the descriptions of packages accept them, and do these name the version of the project? Nothing is built.
# Exits with 77 where pip cannot reach a registry.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
python3 -m venv "$place/env"
PATH=$place/env/bin:$PATH
pip install -q --disable-pip-version-check check-jsonschema cibuildwheel validate-pyproject py-rattler-build spdx-tools yamllint || exit 77

validate-pyproject pyproject.toml
check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
yamllint --strict -d '{extends: relaxed, rules: {line-length: {max: 130}}}' \
  .github/workflows .clusterfuzzlite tests/fuzz/oss-fuzz
for file in .clusterfuzzlite/project.yaml tests/fuzz/oss-fuzz/project.yaml; do
  # Both name the system that their Dockerfile begins with; another one could not run what was built.
  system=$(sed -n 's/^base_os_version: //p' "$file")
  grep -qx "FROM gcr.io/oss-fuzz-base/base-builder:${system:?}" "${file%/*}/Dockerfile" || {
    echo "$file says $system, and the Dockerfile beside it another one" && exit 1
  }
done
for processor in x86_64 aarch64; do
  wheels=$(cibuildwheel --platform linux --archs "$processor" --print-build-identifiers .)
  [ "$(wc -l <<<"$wheels")" -eq 3 ] || { echo "other wheels than one for each Python: $wheels" && exit 1; }
done
wheels=$(cibuildwheel --platform macos --archs arm64 --print-build-identifiers .)
[ "$(wc -l <<<"$wheels")" -eq 3 ] || { echo "other wheels for macOS than one for each Python: $wheels" && exit 1; }
version=$(sed -nE 's/^project\(tdz VERSION ([0-9.]+).*/\1/p' CMakeLists.txt)
# The list of dependencies, with every library that may be in it.
bash cmake/dist.sh . "$version" "$place" >/dev/null
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=packaging python -c 'import sbom; print(*(f"{name} 1.0" for name in sbom.KNOWN), sep="\n")' >"$place/all"
python packaging/sbom.py "$place/tdz-$version.tar.gz" "$version" "$place/all" "$place/tdz.spdx.json"
pyspdxtools -i "$place/tdz.spdx.json"
python - packaging/conda/recipe.yaml "$version" <<'END'
import sys
import rattler_build
path, version = sys.argv[1:]
with open(path) as file:
    recipe = rattler_build.Stage0Recipe.from_yaml(file.read())
variants = rattler_build.VariantConfig.from_yaml("c_stdlib: [sysroot]\n")
(rendered,) = recipe.render(variants, rattler_build.RenderConfig())
assert (rendered.recipe.package.name, rendered.recipe.package.version) == ("tdz", version), rendered
print(f"the recipe for conda gives tdz {version}")
END
