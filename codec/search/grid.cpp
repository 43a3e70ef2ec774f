// SPDX-License-Identifier: Apache-2.0
#include "codec/search/grid.hpp"

#include <algorithm>

#include "formats/parameters.hpp"
#include "formats/plan/made_plans.hpp"

namespace tdz {
namespace {

/// first, first + 1 .. last, and also `own` if it is larger than `last`.
template <class T>
std::vector<T> range_with(T first, T last, T own) {
  std::vector<T> values;
  for (T value = first; value <= last; ++value) values.push_back(value);
  if (own > last) values.push_back(own);
  return values;
}

}  // namespace

Result<std::vector<GridCell>> order_and_tuple_grid(const Plan& chosen, const Pieces& pieces, Trial& trial) {
  std::vector<GridCell> grid;
  const auto parameters = formats::exact_parameters_of(chosen);
  if (!parameters) return grid;
  const formats::Parameters& own = *parameters;
  for (const std::uint8_t order : range_with<std::uint8_t>(0, 4, own.order)) {
    for (const std::uint32_t tuple : range_with<std::uint32_t>(1, 8, own.tuple)) {
      formats::Parameters steps = own;
      steps.order = order;
      steps.tuple = tuple;
      auto size = trial.packed_together(formats::plan_of(formats::column_of(steps)), pieces);
      if (!size) return size.error();
      grid.push_back({order, tuple, *size});
    }
  }
  return grid;
}

}  // namespace tdz
