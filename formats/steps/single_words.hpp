// SPDX-License-Identifier: Apache-2.0
// The steps that change each word by itself, and take no parameter: byteswap and zigzag. FORMAT.md,
// section 3.
#pragma once

#include "formats/steps/step.hpp"

namespace tdz {

/// Big-endian words to little-endian words. It is its own inverse.
struct ByteswapStep : formats::StepWithoutParameters<ByteswapStep> {
  static constexpr formats::StepTraits kTraits{
      .id = 1,
      .name = "byteswap",
      .help = {10, "byteswap", "the bytes of each big-endian number are reversed"}};

  std::string words() const { return "big-endian"; }

  friend constexpr bool operator==(const ByteswapStep&, const ByteswapStep&) = default;
};

/// r -> (r << 1) ^ (r >> w-1, arithmetic): small magnitudes of either sign become small words.
struct ZigzagStep : formats::StepWithoutParameters<ZigzagStep> {
  static constexpr formats::StepTraits kTraits{
      .id = 3,
      .name = "zigzag",
      .help = {60, "zigzag",
               "small numbers of either sign become small codes: 0, -1, 1, -2 become 0, 1, 2, 3"}};

  std::string words() const { return "zigzag"; }

  friend constexpr bool operator==(const ZigzagStep&, const ZigzagStep&) = default;
};

}  // namespace tdz
