// SPDX-License-Identifier: Apache-2.0
#include "formats/plan/plan_name.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <variant>

namespace tdz::formats {
namespace {

std::string column_name(const Column& column) {
  const std::string count = column.count == 1 ? "" : std::to_string(column.count) + " ";
  return count + std::to_string(column.width * 8u) + "-bit words: " + steps_name(column);
}

}  // namespace

std::string step_name(const PlanStep& step) {
  return std::visit([](const auto& s) { return s.name(); }, step);
}

std::string steps_name(const Column& column) {
  std::string names;
  for (const PlanStep& step : column.steps) names += (names.empty() ? "" : ", ") + step_name(step);
  return names.empty() ? "none" : names;
}

std::string plan_name(const Plan& plan) {
  std::string names;
  for (const Column& column : plan.columns) names += (names.empty() ? "" : "; ") + column_name(column);
  return plan.coding == Coding::uniform ? names + "; frames for a GPU" : names;
}

// ---- In words

namespace {

constexpr std::size_t kShownPairs = 3;

/// As short as it can be: "100", "0.3".
std::string number_text(double number) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
  return {text.data(), end};
}

/// "1/100", "5", "0.3/7".
std::string pair_text(const ScalePair& pair) {
  return pair.den == 1 ? number_text(pair.num) : number_text(pair.num) + "/" + number_text(pair.den);
}

std::string multiples_text(const ScalePlan& known) {
  if (known.pairs.empty()) return known.fill ? "one word stands for missing numbers" : "numbers as they are";
  std::string list;
  for (std::size_t i = 0; i < std::min(known.pairs.size(), kShownPairs); ++i)
    list += (i == 0 ? "" : ", ") + pair_text(known.pairs[i]);
  return "multiples of " + list + and_more(known.pairs.size(), kShownPairs);
}

/// "0.3" for 0.003.
std::string per_cent(double share) {
  const auto tenths = static_cast<unsigned>(std::lround(1000 * share));
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
}

std::string holes_text(double share) {
  if (share <= 0) return "no holes";
  return share < 0.0005 ? "less than 0.1 % holes" : per_cent(share) + " % holes";
}

/// What a step does, with what the search knows of a scale.
struct StepWords {
  const ScalePlan* scale;
  std::string holes;

  std::string operator()(const ScaleStep& s) const {
    return (scale != nullptr ? multiples_text(*scale) : s.words()) + holes;
  }
  template <class OtherStep>
  std::string operator()(const OtherStep& s) const {
    return s.words();
  }
};

/// "5 x f32", or "5 x 32 bits" where nobody named the type.
std::string type_text(const Column& column) {
  const std::string bits = std::to_string(column.width * 8u);
  const std::string type = column.kind == 0 ? bits + " bits" : column.kind + bits;
  return column.count == 1 ? type : std::to_string(column.count) + " x " + type;
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
    const std::string name =
        plan.columns.size() == 1 ? "numbers of " : "column " + std::to_string(c + 1) + ", ";
    lines.push_back(name + type_text(column) + ": " + steps_text(column, words));
  }
  return lines;
}

}  // namespace tdz::formats
