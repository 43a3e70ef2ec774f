// SPDX-License-Identifier: Apache-2.0
#include "kernels/steps/lanes.hpp"

#include <algorithm>
#include <numeric>

namespace tdz {
namespace {

/// Sources in a row behind a lane; kDeepestSource + 1 for all that is deeper, a circle too.
unsigned depth_of(std::span<const LaneRule> rules, std::size_t lane) {
  unsigned depth = 0;
  while (depth <= kDeepestSource && rules[lane].has_source()) {
    lane = rules[lane].source;
    ++depth;
  }
  return depth;
}

bool in_range(const LaneRule& rule, std::size_t lanes) {
  if (!rule.has_source() && (rule.lag != 0 || rule.after)) return false;
  return rule.order <= kHighestLaneOrder && rule.lag <= 1 && (!rule.has_source() || rule.source < lanes);
}

}  // namespace

formats::Fault check(const LaneRules& rules, std::uint32_t tuple) {
  if (rules.lanes.size() != tuple) return corrupt("lanes: a rule for each lane is needed");
  if (!is_run(rules.run))
    return corrupt("lanes: runs are too short, too long or no power of two");
  for (const LaneRule& rule : rules.lanes) {
    if (!in_range(rule, tuple)) return corrupt("lanes: order, lag or source is out of range");
  }
  for (std::size_t lane = 0; lane < tuple; ++lane) {
    if (depth_of(rules.lanes, lane) > kDeepestSource) {
      return corrupt("lanes: sources form a circle, or more than 8 follow one another");
    }
  }
  return {};
}

std::vector<std::uint32_t> decoding_order(std::span<const LaneRule> rules) {
  std::vector<unsigned> depth(rules.size());
  for (std::size_t lane = 0; lane < rules.size(); ++lane) depth[lane] = depth_of(rules, lane);
  std::vector<std::uint32_t> order(rules.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t lane) { return depth[lane]; });
  return order;
}

}  // namespace tdz
