#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Prepares the image of OSS-Fuzz or ClusterFuzzLite: the packages that a build needs, and build.sh where the image looks for it.
set -euo pipefail
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
# shellcheck source=cmake/packages.sh
source "$here/../../../cmake/packages.sh"

# `need` would only warn if a package is missing.
apt-get update
DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${packages_of_fuzz_image[@]}"
ln -sf "$here/build.sh" "${SRC:?}/build.sh"
