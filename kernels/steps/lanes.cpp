// SPDX-License-Identifier: Apache-2.0
#include "kernels/steps/lanes.hpp"

#include <algorithm>
#include <numeric>

#include "formats/plan/plan_rules.hpp"

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

}  // namespace

formats::Fault check(const LaneRules& rules, std::uint32_t tuple) {
  if (rules.lanes.size() != tuple) return corrupt("lanes: a rule for each lane is needed");
  if (auto flaw = formats::flaw_of_lanes(rules)) return corrupt(*flaw);
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
