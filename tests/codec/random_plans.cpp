// SPDX-License-Identifier: Apache-2.0
#include "tests/codec/random_plans.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "tests/steps/random_steps.hpp"

namespace tdz::test {
namespace {

/// Adds a step, except a second one where a column has at most one.
void append_step(Chance& chance, Column& column) {
  PlanStep step = random_step(chance, column.width, Drawn::other_step);
  const auto is_same = [&](const PlanStep& s) { return s.index() == step.index(); };
  if (!traits_of(step).once || std::ranges::none_of(column.steps, is_same))
    column.steps.push_back(std::move(step));
}

unsigned orders_of(const Column& column) {
  unsigned sum = 0;
  for (const PlanStep& step : column.steps) {
    if (const auto* difference = std::get_if<DifferenceStep>(&step)) sum += difference->order;
  }
  return sum;
}

}  // namespace

Column random_column(Chance& chance) {
  constexpr std::uint16_t kCounts[] = {1, 1, 1, 2, 3, 5, 17, 300};
  Column column{static_cast<std::uint8_t>(1 + chance.below(8)), chance.one_of(kCounts), {}};
  for (std::uint64_t i = chance.below(5); i > 0; --i) {
    append_step(chance, column);
    if (orders_of(column) > kMaxColumnOrders) column.steps.pop_back();
  }
  if (!chance.once_in(6)) column.steps.push_back(random_step(chance, column.width, Drawn::layout));
  return column;
}

Plan random_plan(Chance& chance) {
  Plan plan{chance.once_in(8) ? Coding::uniform : Coding::zstd, {}};
  const std::uint64_t columns = chance.once_in(2) ? 1 : 1 + chance.below(5);
  for (std::uint64_t i = 0; i < columns; ++i) plan.columns.push_back(random_column(chance));
  return plan;
}

std::vector<std::byte> random_chunk(Chance& chance, std::size_t bytes) {
  constexpr unsigned kWords[] = {1, 2, 3, 4, 8};
  const unsigned kind = static_cast<unsigned>(chance.below(6)), width = chance.one_of(kWords);
  const std::uint64_t step = chance.below(300);
  const double unit = kind == 3 ? 0.01 : 0.25;
  std::uint64_t x = chance.bits(), a = 1u << 20, b = 0;
  std::vector<std::byte> chunk(bytes + 8);
  for (std::size_t i = 0; i < bytes; i += kind == 3 ? 8 : kind == 4 ? 4 : width) {
    if (kind == 0) x = chance.bits();
    if (kind == 1) x += step;
    if (kind == 2) b += a / 64, a -= b / 64, x = (1u << 24) + a + chance.below(64);
    const double number = static_cast<double>(1000 + chance.below(5000)) * unit;
    const auto narrow = static_cast<float>(number);
    const bool hole = chance.once_in(50);
    if (kind == 3 && !hole)
      std::memcpy(&chunk[i], &number, 8);
    else if (kind == 4 && !hole)
      std::memcpy(&chunk[i], &narrow, 4);
    else
      std::memcpy(&chunk[i], &x, kind == 3 ? 8 : kind == 4 ? 4 : width);
  }
  chunk.resize(bytes);
  return chunk;
}

}  // namespace tdz::test
