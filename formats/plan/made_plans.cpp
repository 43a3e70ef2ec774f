// SPDX-License-Identifier: Apache-2.0
#include "formats/plan/made_plans.hpp"

#include <algorithm>

#include "formats/plan/plan_rules.hpp"

namespace tdz::formats {
namespace {

void append_default_steps(const NumberType& type, unsigned order, Column& column) {
  if (type == NumberType{}) return;
  if (order > 0) column.steps.push_back(PlainStep{Step::difference(type.tuple, static_cast<std::uint8_t>(order))});
  column.steps.push_back(PlainStep{Step::zigzag()});
  if (type.tuple > 1) {
    column.steps.push_back(PlainStep{Step::tuple_planes(type.tuple)});
  } else if (type.word > 1) {
    column.steps.push_back(PlainStep{Step::planes()});
  }
}

constexpr std::uint32_t kMaxCount = 0xFFFF;

bool is_row(const NumberType& type) {
  return type.tuple <= kMaxCount && std::uint64_t{type.tuple} * type.word <= kMaxRowBytes;
}

Error too_long() {
  return usage("a row of fields has at most 65536 bytes");
}

}  // namespace

Result<Plan> plan_of(std::span<const NumberType> types, unsigned order) {
  Plan plan;
  for (const NumberType& type : types) {
    // A tuple that is too long for a row, a line of a grid, is in the steps alone.
    const std::uint32_t count = types.size() == 1 && !is_row(type) ? 1 : type.tuple;
    if (count > kMaxCount) return too_long();
    plan.columns.push_back({type.word, static_cast<std::uint16_t>(count), {}, type.kind});
    append_default_steps(type, order, plan.columns.back());
  }
  if (auto good = check(plan); !good) return good.error();
  return plan;
}

void begin_with_byteswap(Column& column) {
  if (column.width > 1) column.steps.insert(column.steps.begin(), PlainStep{Step::byteswap()});
}

std::optional<Transform> plain_steps(const Column& column) {
  if (column.steps.size() > kMaxSteps) return std::nullopt;
  Transform transform{.word = column.width};
  for (const PlanStep& step : column.steps) {
    const auto* plain = std::get_if<PlainStep>(&step);
    if (plain == nullptr || plain->run != 0) return std::nullopt;
    transform.append(plain->step);
  }
  return transform;
}

Plan plan_of(const Transform& transform) {
  Plan plan{Coding::zstd, {Column{transform.word, 1, {}}}};
  for (const Step& step : transform.steps()) plan.columns[0].steps.push_back(PlainStep{step});
  return plan;
}

std::optional<Transform> transform_of(const Plan& plan) {
  if (plan.columns.size() != 1 || plan.coding != Coding::zstd) return std::nullopt;
  const Column& column = plan.columns[0];
  if (column.count != 1 || !is_word_size(column.width)) return std::nullopt;
  return plain_steps(column);
}

std::optional<Parameters> exact_parameters_of(const Plan& plan) {
  const auto transform = transform_of(plan);
  if (!transform) return std::nullopt;
  const Parameters said = parameters_of(*transform);
  if (transform_of(said) != *transform) return std::nullopt;
  return said;
}

}  // namespace tdz::formats
