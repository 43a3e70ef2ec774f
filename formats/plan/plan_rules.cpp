// SPDX-License-Identifier: Apache-2.0
#include "formats/plan/plan_rules.hpp"

#include <algorithm>

#include "formats/plan/plan_bytes.hpp"
#include "formats/stream/limits.hpp"

namespace tdz::formats {
namespace {

std::string number(std::uint64_t value) {
  return std::to_string(value);
}

/// A step that a column may have only once, and has more often.
template <class T>
Flaw flaw_of_repeat(const Column& column) {
  if (!T::kTraits.once) return {};
  const auto is_one = [](const PlanStep& s) { return std::holds_alternative<T>(s); };
  if (std::ranges::count_if(column.steps, is_one) <= 1) return {};
  return "two steps " + std::string(T::kTraits.name) + " in a column";
}

template <class... T>
Flaw flaw_of_repeats(std::in_place_type_t<std::variant<T...>>, const Column& column) {
  Flaw flaw;
  static_cast<void>(((flaw = flaw_of_repeat<T>(column)) || ...));
  return flaw;
}

unsigned orders_of(const Column& column) {
  unsigned sum = 0;
  for (const PlanStep& step : column.steps) {
    if (const auto* difference = std::get_if<DifferenceStep>(&step)) sum += difference->order;
  }
  return sum;
}

Flaw flaw_of_column(const Column& column) {
  for (std::size_t i = 0; i + 1 < column.steps.size(); ++i) {
    if (is_layout(column.steps[i])) return "a layout that is not the last step";
  }
  if (auto flaw = flaw_of_repeats(std::in_place_type<PlanStep>, column)) return flaw;
  if (orders_of(column) > kMaxColumnOrders) return "differences of a column with orders above 16 together";
  return {};
}

Flaw flaw_of_values(const Plan& plan) {
  if (auto flaw = flaw_of_counts(plan.columns.size(), plan.coding)) return flaw;
  for (const Column& column : plan.columns) {
    if (auto flaw = flaw_of_head(column, column.steps.size())) return flaw;
  }
  for (const Column& column : plan.columns) {
    for (const PlanStep& step : column.steps) {
      if (auto flaw = flaw_of_step(step, column.width)) return flaw;
    }
  }
  return flaw_of_columns(plan);
}

}  // namespace

Flaw flaw_of_counts(std::size_t columns, Coding coding) {
  if (columns == 0 || columns > kMaxColumns) return number(columns) + " columns, but a plan has 1 to 64";
  if (coding > Coding::uniform) return "an unknown coding";
  return {};
}

Flaw flaw_of_head(const Column& column, std::size_t steps) {
  if (column.width == 0 || column.width > kMaxWidth)
    return "words of " + number(column.width) + " bytes, but a word has 1 to 8";
  if (column.count == 0) return "a column without words";
  if (steps > kMaxSteps) return number(steps) + " steps, but a column has at most 8";
  return {};
}

Flaw flaw_of_step(const PlanStep& step, unsigned width) {
  return std::visit([&](const auto& s) { return s.flaw(width); }, step);
}

Flaw flaw_of_columns(const Plan& plan) {
  if (row_bytes(plan) > kMaxRowBytes)
    return "rows of " + number(row_bytes(plan)) + " bytes, but a row has at most 65536";
  for (const Column& column : plan.columns) {
    if (auto flaw = flaw_of_column(column)) return flaw;
  }
  return {};
}

namespace {

/// What a caller asks of the writer. No file holds it.
Flaw flaw_of_packing(const PackOptions& packing) {
  const auto is_default_or = [](std::uint64_t value, std::uint64_t least, std::uint64_t most) {
    return value == 0 || (value >= least && value <= most);
  };
  if (packing.level < 0 || packing.level > 22) return "packing: a level outside 0 to 22";
  if (!is_default_or(packing.frame_bytes, kMinFrame, kMaxChunk))
    return "packing: frames of " + number(packing.frame_bytes) + " bytes, but they may have 4 KiB to 1 GiB";
  if (!is_default_or(packing.block_bytes, 1024, 131072))
    return "packing: blocks of " + number(packing.block_bytes) + " bytes, but they may have 1 KiB to 128 KiB";
  if (!is_default_or(packing.code_limit, 8, 11))
    return "packing: codes of " + number(packing.code_limit) + " bits, but the limit may be 8 to 11";
  if (packing.planes.size() > kMaxPackedPlanes)
    return "packing: " + number(packing.planes.size()) + " planes, but at most 256 are named";
  return {};
}

Flaw flaw_of_scale(const ScalePlan& scale, const Column& column) {
  if (scale.pairs.size() > kMaxScalePairs) return "packing: a scale of more than 16 pairs";
  if (!std::ranges::all_of(scale.pairs, is_scale_pair)) return "packing: a scale with a number out of range";
  const unsigned unused = 64 - 8u * column.width;
  if (scale.fill && *scale.fill << unused >> unused != *scale.fill)
    return "packing: a scale whose fill is wider than its words";
  return {};
}

Flaw flaw_of_scales(const Plan& plan) {
  const auto& scales = plan.packing.scales;
  std::size_t steps = 0;
  for (const Column& column : plan.columns) {
    if (!has_scale(column)) continue;
    if (steps < scales.size())
      if (auto flaw = flaw_of_scale(scales[steps], column)) return flaw;
    ++steps;
  }
  if (scales.empty() || scales.size() == steps) return {};
  return "packing: " + number(scales.size()) + " scales for " + number(steps) + " steps";
}

}  // namespace

Status check(const Plan& plan) {
  if (auto flaw = flaw_of_values(plan)) return usage("a plan: " + *flaw);
  if (auto flaw = flaw_of_packing(plan.packing)) return usage("a plan: " + *flaw);
  if (auto flaw = flaw_of_scales(plan)) return usage("a plan: " + *flaw);
  if (plan_bytes(plan) > kMaxPlanBytes) return usage("a plan longer than 65536 bytes");
  return ok();
}

}  // namespace tdz::formats
