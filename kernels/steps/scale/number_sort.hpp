// SPDX-License-Identifier: Apache-2.0
// Sorts by a number, byte by byte. A sort by comparisons has a branch for each of them, and the processor
// guesses half of these wrong.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tdz {

/// Integers that are in the order of the numbers. -0 stands before 0.
inline std::uint64_t rank_of(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  return bits >> 63 != 0 ? ~bits : bits | std::uint64_t{1} << 63;
}

/// Stable. number(item) is no NaN.
template <class Item, class Number>
void sort_by_number(std::vector<Item>& items, const Number& number) {
  constexpr std::size_t kDigits = 8;
  std::array<std::array<std::uint32_t, 256>, kDigits> begins{};
  for (const Item& item : items) {
    const std::uint64_t rank = rank_of(number(item));
    for (std::size_t d = 0; d < kDigits; ++d) ++begins[d][rank >> (8 * d) & 255];
  }
  std::vector<Item> sorted(items.size());
  for (std::size_t d = 0; d < kDigits; ++d) {
    std::uint32_t place = 0, longest = 0;
    for (std::uint32_t& begin : begins[d]) {
      longest = begin > longest ? begin : longest;
      place += std::exchange(begin, place);
    }
    if (longest == items.size()) continue;  // all have this digit
    for (const Item& item : items) sorted[begins[d][rank_of(number(item)) >> (8 * d) & 255]++] = item;
    items.swap(sorted);
  }
}

}  // namespace tdz
