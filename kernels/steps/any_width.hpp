// SPDX-License-Identifier: Apache-2.0
// Moves of bytes, word by word or field by field: steps on words of any width, 1 to 8 bytes, for the widths
// and tuples that the sweeps do not have; and the fields of a column out of the rows of a chunk, and back
// into them. `in` and `out` hold `words` words of `width` bytes each and do not overlap. Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace tdz {

/// Calls use() with the width as a constant, which makes copies of a word single moves.
template <class Use>
void with_width(std::size_t width, const Use& use) {
  switch (width) {
    case 1:
      return use(std::integral_constant<std::size_t, 1>());
    case 2:
      return use(std::integral_constant<std::size_t, 2>());
    case 3:
      return use(std::integral_constant<std::size_t, 3>());
    case 4:
      return use(std::integral_constant<std::size_t, 4>());
    case 5:
      return use(std::integral_constant<std::size_t, 5>());
    case 6:
      return use(std::integral_constant<std::size_t, 6>());
    case 7:
      return use(std::integral_constant<std::size_t, 7>());
    default:
      return use(std::integral_constant<std::size_t, 8>());
  }
}

/// Its own inverse.
void byteswap_any_width(unsigned width, const std::uint8_t* in, std::uint8_t* out, std::size_t words);

/// Words to byte planes of each lane of the tuple, and back.
void encode_planes_any_width(unsigned width, std::size_t tuple, const std::uint8_t* in, std::uint8_t* out,
                             std::size_t words);
void decode_planes_any_width(unsigned width, std::size_t tuple, const std::uint8_t* in, std::uint8_t* out,
                             std::size_t words);

/// Words of `width` bytes to words of the next machine word (1, 2, 4 or 8 bytes), and back.
void widen_portable(unsigned width, const std::uint8_t* in, std::uint8_t* out, std::size_t words);
void narrow_portable(unsigned width, const std::uint8_t* in, std::uint8_t* out, std::size_t words);

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
