// SPDX-License-Identifier: Apache-2.0
#include "formats/steps/lanes.hpp"

#include <numeric>

namespace tdz {
namespace {

// Flags of a lane.
constexpr std::uint8_t kZigzag = 1, kLag = 2, kAfter = 4, kAllFlags = 7;

constexpr std::size_t kShownLanes = 6;  // in words()

/// Sources in a row before a lane; kDeepestSource + 1 for all that is deeper, a circle too.
unsigned depth_of(std::span<const LaneRule> rules, std::size_t lane) {
  unsigned depth = 0;
  while (depth <= kDeepestSource && rules[lane].has_source()) {
    lane = rules[lane].source;
    ++depth;
  }
  return depth;
}

formats::Flaw flaw_of_rule(const LaneRule& rule, std::size_t lanes) {
  if (rule.order > kHighestLaneOrder) return "lanes: an order above 8";
  if (rule.lag > 1) return "lanes: a lag above 1";
  if (rule.has_source() && rule.source >= lanes) return "lanes: a source that is no lane";
  if (!rule.has_source() && (rule.lag != 0 || rule.after)) return "lanes: lag or after without a source";
  return {};
}

/// The order stands where the differences are taken: before another lane is subtracted, or after that.
std::string rule_words(const LaneRule& rule) {
  const std::string order = rule.order == 0 ? "" : " (order " + std::to_string(rule.order) + ")";
  if (!rule.has_source()) return order.empty() ? " as it is" : order;
  const std::string minus = std::string(" minus ") +
                            (rule.lag == 0 ? "lane " : "the number before in lane ") +
                            std::to_string(rule.source + 1);
  return rule.after ? order + minus : minus + order;
}

}  // namespace

std::string LanesStep::words() const {
  std::string list;
  for (std::size_t i = 0; i < std::min(lanes.size(), kShownLanes); ++i)
    list += (i == 0 ? "lane " : ", lane ") + std::to_string(i + 1) + rule_words(lanes[i]);
  return "differences: " + list + formats::and_more(lanes.size(), kShownLanes) + formats::run_words(run);
}

void LanesStep::write(std::vector<std::byte>& out) const {
  formats::put_le(out, static_cast<std::uint16_t>(lanes.size()), formats::log_of_run(run), std::uint8_t{0});
  for (const LaneRule& rule : lanes) {
    const unsigned flags =
        (rule.zigzag ? kZigzag : 0u) | (rule.lag != 0 ? kLag : 0u) | (rule.after ? kAfter : 0u);
    formats::put_le(out, rule.order, static_cast<std::uint8_t>(flags), rule.source);
  }
}

Result<LanesStep> LanesStep::read(formats::ParameterReader& in) {
  if (in.length() < 4) return in.wrong_length();
  const std::size_t tuple = in.get<std::uint16_t>();
  if (in.length() != 4 + 4 * tuple) return in.wrong_length();
  LanesStep s{std::vector<LaneRule>(tuple), formats::run_of_log(in.get<std::uint8_t>())};
  if (in.get<std::uint8_t>() != 0) return in.bad_value("a byte is set where zero belongs");
  for (LaneRule& rule : s.lanes) {
    rule.order = in.get<std::uint8_t>();
    const auto flags = in.get<std::uint8_t>();
    rule.source = in.get<std::uint16_t>();
    if ((flags & ~kAllFlags) != 0) return in.bad_value("an unknown flag of a lane");
    rule.zigzag = (flags & kZigzag) != 0;
    rule.lag = (flags & kLag) != 0 ? 1 : 0;
    rule.after = (flags & kAfter) != 0;
  }
  return s;
}

formats::Flaw LanesStep::flaw(unsigned) const {
  if (auto flaw = formats::flaw_of_side_tuple(lanes.size())) return flaw;
  if (auto flaw = formats::flaw_of_run(run)) return flaw;
  for (const LaneRule& rule : lanes) {
    if (auto flaw = flaw_of_rule(rule, lanes.size())) return flaw;
  }
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    if (depth_of(lanes, lane) > kDeepestSource)
      return "lanes: sources form a circle, or more than 8 follow one another";
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
