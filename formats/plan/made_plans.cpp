// SPDX-License-Identifier: Apache-2.0
#include "formats/plan/made_plans.hpp"

#include "formats/names.hpp"
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

namespace {

void append_layout(const Parameters& parameters, std::vector<PlanStep>& steps) {
  switch (parameters.layout) {
    case Layout::interleaved:
      return;
    case Layout::planes:
      if (parameters.word > 1) steps.push_back(PlanesStep{});
      return;
    case Layout::tuple_planes:
      if (parameters.tuple > 1) {
        steps.push_back(TuplePlanesStep{parameters.tuple});
      } else if (parameters.word > 1) {
        steps.push_back(PlanesStep{});
      }
      return;
    case Layout::bit_planes:
      steps.push_back(BitPlanesStep{});
      return;
  }
}

/// Takes one step into the parameters. The inverse of append_layout and column_of.
struct TakeStep {
  Parameters& parameters;

  void operator()(const ByteswapStep&) const { parameters.big_endian = true; }
  /// The first difference is over the tuple, the next one over rows. Exception: see the one of
  /// TuplePlanesStep.
  void operator()(const DifferenceStep& s) const {
    if (parameters.order != 0) {
      parameters.row = s.tuple;
      return;
    }
    parameters.tuple = s.tuple;
    parameters.order = s.order;
  }
  void operator()(const ZigzagStep&) const { parameters.zigzag = true; }
  void operator()(const PlanesStep&) const { parameters.layout = Layout::planes; }
  void operator()(const BitPlanesStep&) const { parameters.layout = Layout::bit_planes; }
  /// The only difference before planes of another tuple is over rows: the order is 0.
  void operator()(const TuplePlanesStep& s) const {
    parameters.layout = Layout::tuple_planes;
    if (parameters.order != 0 && parameters.tuple != s.tuple) {
      parameters.row = parameters.tuple;
      parameters.order = 0;
    }
    parameters.tuple = s.tuple;
  }
  template <class OtherStep>
  void operator()(const OtherStep&) const {}
};

}  // namespace

Column column_of(const Parameters& parameters) {
  Column column{.width = parameters.word};
  auto& steps = column.steps;
  if (parameters.big_endian && parameters.word > 1) steps.push_back(ByteswapStep{});
  if (parameters.order != 0) steps.push_back(DifferenceStep{parameters.tuple, parameters.order});
  if (parameters.row != 0) steps.push_back(DifferenceStep{parameters.row, 1});
  if (parameters.zigzag) steps.push_back(ZigzagStep{});
  if (parameters.packed) {
    steps.push_back(PackedStep{parameters.tuple <= kMaxSideTuple ? parameters.tuple : 1});
  } else {
    append_layout(parameters, steps);
  }
  return column;
}

Parameters parameters_of(const Column& column) {
  Parameters parameters{.word = column.width};
  for (const PlanStep& step : column.steps) std::visit(TakeStep{parameters}, step);
  return parameters;
}

std::string_view layout_name(const Parameters& parameters) {
  return parameters.packed ? PackedStep::kTraits.name : layout_name(parameters.layout);
}

}  // namespace tdz::formats
