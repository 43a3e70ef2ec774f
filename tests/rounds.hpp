// SPDX-License-Identifier: Apache-2.0
// How many rounds tests by chance take.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace tdz::test {

/// `usual`; under the address sanitizer, where a round takes ten times as long, a quarter of that. With
/// TDZ_TEST_FULL=1 all rounds there, too.
inline std::uint64_t rounds_by_chance(std::uint64_t usual) {
#ifdef __SANITIZE_ADDRESS__
  if (std::getenv("TDZ_TEST_FULL") == nullptr) return usual / 4;
#endif
  return usual;
}

}  // namespace tdz::test
