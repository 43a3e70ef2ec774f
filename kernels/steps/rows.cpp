// SPDX-License-Identifier: Apache-2.0
#include "kernels/steps/rows.hpp"

#include <cstring>
#include <type_traits>

namespace tdz {
namespace {

/// Calls run() with the length of a field, as a constant where a field is one word: then a copy is one move.
template <class Run>
void with_length(std::size_t bytes, const Run& run) {
  switch (bytes) {
    case 1:
      return run(std::integral_constant<std::size_t, 1>());
    case 2:
      return run(std::integral_constant<std::size_t, 2>());
    case 4:
      return run(std::integral_constant<std::size_t, 4>());
    case 8:
      return run(std::integral_constant<std::size_t, 8>());
    default:
      return run(bytes);
  }
}

}  // namespace

void gather(const FieldPlace& place, std::span<const std::byte> chunk, std::span<std::byte> column) {
  const std::byte* from = chunk.data() + place.at;
  std::byte* to = column.data();
  with_length(place.bytes, [&](auto bytes) {
    for (std::size_t row = 0; row < chunk.size(); row += place.row, from += place.row, to += bytes) {
      std::memcpy(to, from, bytes);
    }
  });
}

void scatter(const FieldPlace& place, std::span<const std::byte> column, std::span<std::byte> chunk) {
  const std::byte* from = column.data();
  std::byte* to = chunk.data() + place.at;
  with_length(place.bytes, [&](auto bytes) {
    for (std::size_t row = 0; row < chunk.size(); row += place.row, from += bytes, to += place.row) {
      std::memcpy(to, from, bytes);
    }
  });
}

}  // namespace tdz
