// SPDX-License-Identifier: Apache-2.0
#include "formats/parameters.hpp"

#include "formats/type_name.hpp"

namespace tdz::formats {
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
