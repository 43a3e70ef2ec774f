// SPDX-License-Identifier: Apache-2.0
#include "tests/codec/random_plans.hpp"

#include <algorithm>
#include <cstring>
#include <functional>

namespace tdz::test {
namespace {

constexpr std::uint32_t kRuns[] = {0, 0, 1024, 2048, 65536};
constexpr std::uint32_t kSideTuples[] = {1, 1, 2, 3, 5, 16, 256};
constexpr std::uint32_t kTuples[] = {1, 1, 2, 3, 7, 300, 70'000, 0xFFFFFFFF};

DifferenceStep random_difference(Chance& chance) {
  const auto order = static_cast<std::uint8_t>(1 + chance.below(chance.once_in(4) ? 8 : 2));
  const std::uint32_t tuple = chance.one_of(kTuples);
  return {tuple, order, chance.one_of(kRuns)};
}

LaneRule random_rule(Chance& chance, std::size_t lane) {
  LaneRule rule{static_cast<std::uint8_t>(chance.below(4)), chance.once_in(2)};
  if (lane == 0 || chance.once_in(3)) return rule;
  // Sources are within 8 lanes of an origin, so no chain is longer than 8.
  const std::size_t origin = lane / 8 * 8;
  rule.source = static_cast<std::uint16_t>(lane == origin ? 0 : origin + chance.below(lane - origin));
  if (lane == origin) rule.source = LaneRule::kNoSource;
  if (!rule.has_source()) return rule;
  rule.lag = static_cast<std::uint8_t>(chance.below(2));
  rule.after = chance.once_in(2);
  return rule;
}

LanesStep random_lanes(Chance& chance) {
  LanesStep step{{}, chance.one_of(kRuns)};
  const std::uint32_t tuple = chance.one_of(kSideTuples);
  for (std::size_t lane = 0; lane < tuple; ++lane) step.lanes.push_back(random_rule(chance, lane));
  return step;
}

TokensStep random_tokens(Chance& chance, unsigned width) {
  TokensStep step{chance.one_of(kSideTuples), {}, chance.one_of(kRuns)};
  do {
    step.code.k = static_cast<std::uint8_t>(chance.below(8));
    step.code.m = static_cast<std::uint8_t>(chance.below(8));
  } while (!is_token_code(step.code, 8 * width));
  return step;
}

void append_layout(Chance& chance, Column& column) {
  switch (chance.below(6)) {
    case 0:
      return column.steps.push_back(PlanesStep{});
    case 1:
      return column.steps.push_back(TuplePlanesStep{chance.one_of(kTuples)});
    case 2:
      return column.steps.push_back(BitPlanesStep{});
    case 3:
    case 4:
      return column.steps.push_back(random_tokens(chance, column.width));
    default:
      return;
  }
}

ScaleStep random_scale(Chance& chance, unsigned width) {
  const bool real = (width == 4 || width == 8) && !chance.once_in(4);
  return {chance.one_of(kSideTuples), real ? ScaleKind::real : ScaleKind::integer};
}

/// Adds a step that is allowed at most once.
template <class T>
void append_once(Column& column, const T& step) {
  const auto is_same = [](const PlanStep& s) { return std::holds_alternative<T>(s); };
  if (std::ranges::none_of(column.steps, is_same)) column.steps.push_back(step);
}

void append_step(Chance& chance, Column& column) {
  switch (chance.below(7)) {
    case 0:
      return column.steps.push_back(ByteswapStep{});
    case 1:
      return column.steps.push_back(ZigzagStep{});
    case 2:
      return append_once(column, random_scale(chance, column.width));
    case 3:
      return append_once(column, random_lanes(chance));
    case 4:
      return append_once(column, PredictStep{chance.one_of(kSideTuples),
                                             chance.once_in(2) ? Sign::is_signed : Sign::is_unsigned});
    default:
      return column.steps.push_back(random_difference(chance));
  }
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
  append_layout(chance, column);
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
