// SPDX-License-Identifier: Apache-2.0
// The oracle, a simple reference that every backend must agree with: the steps as FORMAT.md states them, one
// word at a time. It shares no code with the kernels, and it is slow.
#pragma once

#include <cstdint>
#include <vector>

#include "formats/plan/plan.hpp"

namespace tdz::oracle {

/// Applies the steps in order. Precondition, here and below: each step is one that passes have: byteswap,
/// zigzag, a layout of words, or a difference that does not start anew.
std::vector<std::uint8_t> forward(const Column& column, std::vector<std::uint8_t> bytes);

/// Applies the inverse steps backwards.
std::vector<std::uint8_t> inverse(const Column& column, std::vector<std::uint8_t> bytes);

}  // namespace tdz::oracle
