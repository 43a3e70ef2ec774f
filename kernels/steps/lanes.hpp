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
#include "formats/plan/step_values.hpp"
#include "kernels/steps/lane_map.hpp"

namespace tdz {

/// What is wrong: a count other than the tuple's, a value out of range, lag or after without a source, a
/// circle of sources, more than 8 in a row.
formats::Fault check(const LaneRules& rules, std::uint32_t tuple);

/// The lanes, each behind its source. Precondition: check() finds no fault.
std::vector<std::uint32_t> decoding_order(std::span<const LaneRule> rules);

}  // namespace tdz
