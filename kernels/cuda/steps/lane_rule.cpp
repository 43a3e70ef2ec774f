// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/steps/lane_rule.hpp"

#include <algorithm>

namespace tdz::cuda {
namespace {

std::uint8_t depth_of(const LanesStep& rules, std::size_t lane) {
  std::uint8_t depth = 0;
  for (; rules.lanes[lane].has_source(); lane = rules.lanes[lane].source) ++depth;
  return depth;
}

}  // namespace

std::vector<DeviceLaneRule> device_rules(const LanesStep& rules) {
  std::vector<DeviceLaneRule> all;
  all.reserve(rules.lanes.size());
  for (std::size_t lane = 0; lane < rules.lanes.size(); ++lane) {
    const LaneRule& rule = rules.lanes[lane];
    all.push_back({rule.order, rule.zigzag, rule.after, rule.lag, rule.source, depth_of(rules, lane), 0});
  }
  return all;
}

bool chains_skip_lanes(const LanesStep& rules) {
  for (std::size_t lane = 0; lane < rules.lanes.size(); ++lane) {
    std::size_t highest = lane;  // of the lanes between
    for (std::size_t at = lane; rules.lanes[at].has_source(); highest = std::max(highest, at)) {
      at = rules.lanes[at].source;
      if (at < highest && highest > lane) return true;
    }
  }
  return false;
}

LaneSources sources_of(const LanesStep& rules) {
  LaneSources sources;
  sources.lanes = static_cast<std::uint32_t>(rules.lanes.size());
  for (std::size_t lane = 0; lane < rules.lanes.size(); ++lane)
    for (std::size_t at = lane; rules.lanes[at].has_source(); at = rules.lanes[at].source)
      sources.added[lane] = static_cast<std::uint8_t>(sources.added[lane] | 1u << rules.lanes[at].source);
  return sources;
}

std::uint8_t depths_of(const std::vector<DeviceLaneRule>& rules) {
  std::uint8_t deepest = 0;
  for (const DeviceLaneRule& rule : rules) deepest = std::max(deepest, rule.depth);
  return static_cast<std::uint8_t>(deepest + 1);
}

}  // namespace tdz::cuda
