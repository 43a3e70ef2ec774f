// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/fuzz/support.hpp"

namespace tdz::fuzz {

/// A column of one word a row with any list of steps that passes have.
inline Column any_column(Choices& choices) {
  Column column{.width = static_cast<std::uint8_t>(1u << choices.below(4))};
  for (unsigned steps = choices.below(kMaxSteps + 1); steps > 0; --steps) {
    const std::uint32_t any = choices.number<std::uint16_t>();
    const std::uint32_t tuple = 1 + (any >> choices.below(16));
    const auto order = static_cast<std::uint8_t>(1 + choices.below(kMaxOrder));
    const PlanStep list[] = {ByteswapStep{}, DifferenceStep{tuple, order}, ZigzagStep{},
                             PlanesStep{},   TuplePlanesStep{tuple},       BitPlanesStep{}};
    column.steps.push_back(list[choices.below(std::size(list))]);
  }
  return column;
}

}  // namespace tdz::fuzz
