// SPDX-License-Identifier: Apache-2.0
// Which substreams a chunk has, and how long each may be: from the plan and the length of the chunk alone, so
// that every buffer can be sized before a byte is decoded. FORMAT.md, section 5, "Sizes". Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "formats/error.hpp"
#include "formats/plan/plan.hpp"

namespace tdz::formats {

inline constexpr std::uint32_t kMaxSubstreams = 1024;  ///< 64 columns make 449 at most

/// Whole rows of a chunk of `original` bytes. Precondition, here and below: check(plan) finds nothing.
std::uint64_t rows_of(const Plan& plan, std::uint64_t original);

/// The substreams of a chunk, in their order.
std::vector<Substream> substreams(const Plan& plan, std::uint64_t original);
/// How many one step gives; none if it has neither side data nor a layout.
std::size_t substream_count(const PlanStep& step);
/// Those of all steps of a column, and of its words where it has no layout.
std::size_t substream_count(const Column& column);

/// S of FORMAT.md, section 6: holes and tokens of noise fit. A writer that would pass it takes another plan.
constexpr std::uint64_t max_substream_bytes(std::uint64_t original) {
  return original * 5 / 2 + 65536;
}

/// The number of lengths, each length, then their sum. Error corrupt.
Fault check_lengths(std::span<const Substream> expected, std::span<const std::uint32_t> lengths,
                    std::uint64_t original);

}  // namespace tdz::formats
