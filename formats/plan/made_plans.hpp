// SPDX-License-Identifier: Apache-2.0
// Plans made of what a person says: types of fields, or one list of steps. Pure functions, thread-safe.
#pragma once

#include <optional>
#include <span>

#include "formats/error.hpp"
#include "formats/parameters.hpp"
#include "formats/plan/plan.hpp"

namespace tdz::formats {

/// A column for each type: xN is one column of N words a row. Its steps: a difference of this order, 0 to 8,
/// over the tuple (none of order 0), zigzag, planes of the tuple; `bytes` have none. Error usage: the row is
/// too long, or there are too many columns.
Result<Plan> plan_of(std::span<const NumberType> types, unsigned order = 1);

/// The same column for big-endian words.
void begin_with_byteswap(Column& column);

/// A plan of this column alone.
inline Plan plan_of(Column column) {
  return {Coding::zstd, {std::move(column)}};
}

/// The parameters that give exactly this plan, if there are any.
std::optional<Parameters> exact_parameters_of(const Plan& plan);

}  // namespace tdz::formats
