// SPDX-License-Identifier: Apache-2.0
// Are numbers multiples of one step, and of which? Each number is known with an error (half a unit in its
// last place, or what rounding to an integer leaves), so the step is known as a range. Each distance between
// two numbers that is certainly k steps narrows it. Small distances come first, because k is certain there;
// then growing ones.
//
// Sequential IEEE operations only, each rounded once: the same result on every machine.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "formats/steps/scale.hpp"

namespace tdz {

// ---- Sorts by a number, byte by byte. A sort by comparisons has a branch for each of them, and the
// processor guesses half of these wrong.

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

// ---- Steps

/// How far a stored number may lie from the one that was meant, and which steps are of no use.
struct NumberError {
  double relative = 0;
  double absolute = 0;
  double smallest_step = 0;

  double of(double x) const { return power_below(x) * relative + absolute; }

 private:
  /// The power of two at or below |x|: what a unit in the last place is a fraction of.
  static double power_below(double x) {
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & 0x7FF0000000000000u);
  }
};

/// A step lies between the two.
struct StepRange {
  double low = 0;
  double high = 0;

  friend bool operator==(const StepRange&, const StepRange&) = default;
};

/// Steps that most of the numbers are multiples of, as narrow as the numbers tell. `numbers` are finite and
/// come from one place; `elsewhere` come from other places, and may follow other steps.
std::vector<StepRange> find_steps(std::span<const double> numbers, std::span<const double> elsewhere,
                                  const NumberError& error);

/// The fraction with the smallest denominator in the range; nothing where that takes more than 2^31.
std::optional<ScalePair> simplest_fraction(const StepRange& range);

/// What a program may have computed with to get such a step, likelier ones first.
std::vector<ScalePair> pairs_of(const StepRange& range);

}  // namespace tdz
