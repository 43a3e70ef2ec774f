// SPDX-License-Identifier: Apache-2.0
// The parameters by which a person describes a coding, and the steps that they mean. Pure functions,
// thread-safe.
#pragma once

#include <cstdint>
#include <string_view>

#include "formats/plan/plan.hpp"

namespace tdz::formats {

/// Precondition of column_of: word is 1, 2, 4 or 8, tuple >= 1, order <= kMaxOrder.
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

/// "packed", or the name of the layout of words.
std::string_view layout_name(const Parameters& parameters);

}  // namespace tdz::formats
