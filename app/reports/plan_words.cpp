// SPDX-License-Identifier: Apache-2.0
#include "app/reports/analysis.hpp"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

namespace tdz::app {
namespace {

constexpr std::size_t kShownPairs = 3, kShownLanes = 6;

/// " and 5 more" where a list is longer than what is shown of it.
std::string more_text(std::size_t count, std::size_t shown) {
  return count > shown ? fmt::format(" and {} more", count - shown) : "";
}

std::string run_text(std::uint32_t run) {
  return run == 0 ? "" : fmt::format(", anew every {} numbers", run);
}

std::string difference_text(std::uint32_t tuple, unsigned order) {
  const std::string place = tuple == 1 ? "before" : fmt::format("{} places before", tuple);
  return fmt::format("difference of order {} to the number {}", order, place);
}

std::string plain_text(const Step& step) {
  switch (step.id) {
    case StepId::byteswap:
      return "big-endian";
    case StepId::difference:
      return difference_text(step.tuple, step.order);
    case StepId::zigzag:
      return "zigzag";
    case StepId::planes:
      return "byte shuffle";
    case StepId::tuple_planes:
      return fmt::format("byte shuffle of each of {} columns", step.tuple);
    case StepId::bit_planes:
      return "bit shuffle";
  }
  return {};
}

/// "1/100", "5", "0.3/7".
std::string pair_text(const ScalePair& pair) {
  return pair.den == 1 ? fmt::format("{}", pair.num) : fmt::format("{}/{}", pair.num, pair.den);
}

std::string multiples_text(const ScalePlan* known) {
  if (known == nullptr) return "multiples of steps that each chunk finds";
  if (known->pairs.empty()) return known->fill ? "one word stands for missing numbers" : "numbers as they are";
  std::string list;
  for (std::size_t i = 0; i < std::min(known->pairs.size(), kShownPairs); ++i)
    list += (i == 0 ? "" : ", ") + pair_text(known->pairs[i]);
  return "multiples of " + list + more_text(known->pairs.size(), kShownPairs);
}

std::string holes_text(double share) {
  if (share <= 0) return "no holes";
  return share < 0.0005 ? "less than 0.1 % holes" : fmt::format("{:.1f} % holes", 100 * share);
}

/// The order stands where the differences are taken: before another lane is subtracted, or after that.
std::string rule_text(const LaneRule& rule) {
  const std::string order = rule.order == 0 ? "" : fmt::format(" (order {})", rule.order);
  if (!rule.has_source()) return order.empty() ? " as it is" : order;
  const std::string minus =
      fmt::format(" minus {} {}", rule.lag == 0 ? "lane" : "the number before in lane", rule.source + 1);
  return rule.after ? order + minus : minus + order;
}

std::string lanes_text(const LanesStep& step) {
  std::string list;
  for (std::size_t i = 0; i < std::min(step.lanes.size(), kShownLanes); ++i)
    list += fmt::format("{}lane {}{}", i == 0 ? "" : ", ", i + 1, rule_text(step.lanes[i]));
  return "differences: " + list + more_text(step.lanes.size(), kShownLanes);
}

/// A step of a column, with what the search knows of its scale.
struct StepWords {
  const ScalePlan* scale;
  std::string holes;

  std::string operator()(const PlainStep& s) const { return plain_text(s.step) + run_text(s.run); }
  std::string operator()(const ScaleStep&) const { return multiples_text(scale) + holes; }
  std::string operator()(const LanesStep& s) const { return lanes_text(s) + run_text(s.run); }
  std::string operator()(const PredictStep&) const { return "minus a linear prediction from the numbers before"; }
  std::string operator()(const TokensStep& s) const {
    return "a byte (token) for each number, and its lower bits" + run_text(s.run);
  }
};

/// "5 x f32", or "5 x 32 bits" where nobody named the type.
std::string type_text(const Column& column) {
  const std::string type = column.kind == 0 ? fmt::format("{} bits", column.width * 8u)
                                            : fmt::format("{}{}", column.kind, column.width * 8u);
  return column.count == 1 ? type : fmt::format("{} x {}", column.count, type);
}

std::string steps_text(const Column& column, const StepWords& words) {
  std::string text;
  for (const PlanStep& step : column.steps) text += (text.empty() ? "" : "; ") + std::visit(words, step);
  return text.empty() ? "as they are" : text;
}

}  // namespace

std::vector<std::string> plan_words(const Plan& plan, std::span<const double> holes) {
  if (is_copy(plan)) return {"bytes as they are, without steps"};
  std::vector<std::string> lines;
  auto scale = plan.packing.scales.begin();
  for (std::size_t c = 0; c < plan.columns.size(); ++c) {
    const Column& column = plan.columns[c];
    StepWords words{nullptr, c < holes.size() ? ", " + holes_text(holes[c]) : ""};
    if (has_scale(column) && scale != plan.packing.scales.end()) words.scale = &*scale++;
    const std::string name = plan.columns.size() == 1 ? "numbers of " : fmt::format("column {}, ", c + 1);
    lines.push_back(name + type_text(column) + ": " + steps_text(column, words));
  }
  return lines;
}

}  // namespace tdz::app
