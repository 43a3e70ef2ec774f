// SPDX-License-Identifier: Apache-2.0
// Are numbers multiples of one step, and of which? Each number is known with an error (half a unit in its
// last place, or what rounding to an integer leaves), so the step is known as a range. Each distance between
// two numbers that is certainly k steps narrows it. Small distances come first, because k is certain there;
// then growing ones.
//
// Sequential IEEE operations only, each rounded once: the same result on every machine.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "formats/steps/scale.hpp"

namespace tdz {

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
