#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# From nothing on Debian 12: installs what is missing, tests a Release build, then runs the unit tests under the address
# and undefined-behaviour sanitizers. Ends in one line, "N passed, N failed, N skipped".
set -euo pipefail
# shellcheck source=tests/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

need "${packages_to_build[@]}" "${packages_to_test[@]}"
test_build release
test_build asan --label-regex unit
summary
