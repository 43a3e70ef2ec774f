// SPDX-License-Identifier: Apache-2.0
#include "formats/plan/made_plans.hpp"

#include <algorithm>

#include "formats/plan/plan_rules.hpp"

namespace tdz::formats {
namespace {

void append_default_steps(const NumberType& type, unsigned order, Column& column) {
  if (type == NumberType{}) return;
  if (order > 0) column.steps.push_back(DifferenceStep{type.tuple, static_cast<std::uint8_t>(order)});
  column.steps.push_back(ZigzagStep{});
  if (type.tuple > 1) {
    column.steps.push_back(TuplePlanesStep{type.tuple});
  } else if (type.word > 1) {
    column.steps.push_back(PlanesStep{});
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
  if (column.width > 1) column.steps.insert(column.steps.begin(), ByteswapStep{});
}

std::optional<Parameters> exact_parameters_of(const Plan& plan) {
  if (plan.columns.size() != 1 || plan.coding != Coding::zstd || !is_word_size(plan.columns[0].width))
    return std::nullopt;
  const Parameters said = parameters_of(plan.columns[0]);
  if (column_of(said) != plan.columns[0]) return std::nullopt;
  return said;
}

}  // namespace tdz::formats
