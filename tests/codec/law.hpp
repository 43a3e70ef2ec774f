// SPDX-License-Identifier: Apache-2.0
// The mark of cases that weigh sizes or compare bytes on many inputs: TEST_CASE("it holds" * law).
#pragma once

#include <doctest/doctest.h>

namespace tdz::test {

/// Such a case repeats what others go through with fewer inputs, so tests/run.sh leaves it out under
/// sanitizers, where it would take minutes (CMakeLists.txt).
inline const doctest::test_suite law("law");

}  // namespace tdz::test
