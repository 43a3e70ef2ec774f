// SPDX-License-Identifier: Apache-2.0
// What the step `lanes` does to each lane of a tuple: a difference of its own order, and one lane minus
// another.
//
// Lane l becomes x_l[i] - m_p[i - lag] wherever lane p has that element; m_p is lane p as it enters the step.
// The subtraction stands before or after lane l's own differences; zigzag comes last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "formats/error.hpp"
#include "kernels/steps/lane_map.hpp"

namespace tdz {

inline constexpr unsigned kHighestLaneOrder = 8;
inline constexpr unsigned kDeepestSource = 8;  ///< sources in a row that a lane may depend on

struct LaneRule {
  static constexpr std::uint16_t kNoSource = 0xFFFF;

  std::uint8_t order = 0;  ///< 0 to 8
  bool zigzag = false;
  std::uint16_t source = kNoSource;
  std::uint8_t lag = 0;  ///< 0 or 1
  bool after = false;    ///< the source leaves the differences, not the words

  constexpr bool has_source() const { return source != kNoSource; }
  friend constexpr bool operator==(const LaneRule&, const LaneRule&) = default;
};

/// A rule for each lane of the tuple, and the run of words after which differences start anew (lane_map.hpp).
struct LaneRules {
  std::vector<LaneRule> lanes;
  std::uint32_t run = 0;

  friend bool operator==(const LaneRules&, const LaneRules&) = default;
};

/// What is wrong: a count other than the tuple's, a value out of range, lag or after without a source, a
/// circle of sources, more than 8 in a row.
formats::Fault check(const LaneRules& rules, std::uint32_t tuple);

/// The lanes, each behind its source. Precondition: check() finds no fault.
std::vector<std::uint32_t> decoding_order(std::span<const LaneRule> rules);

}  // namespace tdz
