// SPDX-License-Identifier: Apache-2.0
// Sanitizers make everything a hundred times slower: with TDZ_QUICK in the environment, tests take a few of
// their cases only.
#pragma once

#include <cstdlib>

namespace tdz::testing {

inline bool quick() {
  return std::getenv("TDZ_QUICK") != nullptr;
}

}  // namespace tdz::testing
