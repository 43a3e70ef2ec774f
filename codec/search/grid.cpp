// SPDX-License-Identifier: Apache-2.0
#include "codec/search/grid.hpp"

#include <algorithm>

#include "codec/search/request.hpp"

namespace tdz {
namespace {

/// first, first + 1 .. last, and `own` where it is beyond.
template <class T>
std::vector<T> range_with(T first, T last, T own) {
  std::vector<T> values;
  for (T value = first; value <= last; ++value) values.push_back(value);
  if (own > last) values.push_back(own);
  return values;
}

}  // namespace

Result<std::vector<Candidate>> order_and_tuple_grid(const Transform& chosen, const Pieces& pieces,
                                                    Trial& trial) {
  std::vector<Candidate> grid;
  const Steps own = steps_of(chosen);
  for (const std::uint8_t order : range_with<std::uint8_t>(0, 4, own.usual.order)) {
    for (const std::uint32_t tuple : range_with<std::uint32_t>(1, 8, own.usual.tuple)) {
      Steps steps = own;
      steps.usual.order = order;
      steps.usual.tuple = tuple;
      const Transform transform = transform_of(steps);
      auto size = trial.packed_together(transform, pieces);
      if (!size) return size.error();
      grid.push_back({transform, *size});
    }
  }
  return grid;
}

}  // namespace tdz
