// SPDX-License-Identifier: Apache-2.0
// The fields of a column out of the rows of a chunk, and back into them.
#pragma once

#include <cstddef>
#include <span>

namespace tdz {

/// A column's bytes [at, at + bytes) in every row of `row` bytes.
struct FieldPlace {
  std::size_t row = 1;
  std::size_t at = 0;
  std::size_t bytes = 1;
};

/// `chunk` is whole rows; `column` holds as many fields, one behind the other.
void gather(const FieldPlace& place, std::span<const std::byte> chunk, std::span<std::byte> column);
void scatter(const FieldPlace& place, std::span<const std::byte> column, std::span<std::byte> chunk);

}  // namespace tdz
