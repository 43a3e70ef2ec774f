// SPDX-License-Identifier: Apache-2.0
// Plans for a GPU, from the numbers of a command line. For the programs that measure decoding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tdz/block.hpp"

namespace tdz {

/// One lane in each column of a tuple: differences of this order, then tokens.
struct WantedPlan {
  unsigned width;
  std::uint32_t tuple;
  unsigned order;
  std::uint32_t run;
  unsigned limit;

  /// Bytes of a group: 8 blocks in each lane.
  std::size_t group() const { return std::size_t{32} * run * width * tuple; }
};

inline Plan plan_of(const WantedPlan& wanted, TokenCode code) {
  Column column{static_cast<std::uint8_t>(wanted.width), 1, {}};
  if (wanted.order != 0) {
    column.steps.push_back(DifferenceStep{wanted.tuple, static_cast<std::uint8_t>(wanted.order), wanted.run});
    column.steps.push_back(ZigzagStep{});
  }
  column.steps.push_back(TokensStep{wanted.tuple, code, wanted.run});
  Plan plan{Coding::uniform, {column}};
  plan.packing.code_limit = static_cast<std::uint8_t>(wanted.limit);
  return plan;
}

/// The code with which this chunk is shortest.
inline TokenCode best_code(const WantedPlan& wanted, std::span<const std::byte> original) {
  constexpr TokenCode kCodes[] = {{7, 7}, {2, 0}, {3, 1}, {4, 1}, {4, 2}, {5, 1}, {5, 2}, {6, 1}};
  TokenCode best{};
  std::size_t least = ~std::size_t{0};
  for (const TokenCode code : kCodes) {
    if (!is_token_code(code, 8 * wanted.width)) continue;
    const auto block = encode_block(plan_of(wanted, code), original);
    if (block && block->size() < least) least = block->size(), best = code;
  }
  return best;
}

}  // namespace tdz
