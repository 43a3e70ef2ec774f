// SPDX-License-Identifier: Apache-2.0
// Plans made of what a person says: parameters, and the steps that they mean; or types of fields. Pure
// functions, thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "formats/error.hpp"
#include "formats/plan/plan.hpp"

namespace tdz::formats {

/// The parameters by which a person describes a coding. Precondition of column_of: word is 1, 2, 4 or 8,
/// tuple >= 1, order <= kMaxOrder.
struct Parameters {
  std::uint8_t word = 1;
  std::uint32_t tuple = 1;
  std::uint8_t order = 0;
  bool zigzag = false;
  Layout layout = Layout::interleaved;
  bool big_endian = false;
  std::uint32_t row = 0;  ///< in words, for a second difference of order 1 over rows; 0: none
  bool packed = false;    ///< packed groups in place of `layout`, which is interleaved then
};

/// One column of one word a row: [byteswap] [difference(tuple, order)] [difference(row, 1)] [zigzag]
/// [layout]. Steps that would do nothing are left out or simplified: order 0, byteswap or planes of single
/// bytes, tuple_planes of tuple 1. Packed groups have the tuple's lanes; one lane, if it is longer than
/// kMaxSideTuple.
Column column_of(const Parameters& parameters);
/// Parameters that column_of makes this column from, for every column that it makes without packed groups.
Parameters parameters_of(const Column& column);
/// The parameters that give exactly this plan, if there are any.
std::optional<Parameters> exact_parameters_of(const Plan& plan);

/// "packed", or the name of the layout of words.
std::string_view layout_name(const Parameters& parameters);

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

}  // namespace tdz::formats
