// SPDX-License-Identifier: Apache-2.0
// What tests of the lengths of substreams share.
#pragma once

#include <doctest/doctest.h>

#include <utility>
#include <vector>

#include "formats/plan/substreams.hpp"

namespace tdz::formats {

using Lengths = std::vector<std::uint32_t>;

/// One column of one word a row.
inline Plan plan_of_steps(std::uint8_t width, std::vector<PlanStep> steps) {
  return {Coding::zstd, {{width, 1, std::move(steps)}}};
}

/// Whether a chunk of `original` bytes may have these lengths. If it may not, they must be corrupt.
inline bool fits(const Plan& plan, std::uint64_t original, const Lengths& lengths) {
  const auto fault = check_lengths(substreams(plan, original), lengths, original);
  if (fault) CHECK(fault->kind == ErrorKind::corrupt);
  return !fault;
}

}  // namespace tdz::formats
