// SPDX-License-Identifier: Apache-2.0
// From the axes of an array to tuple and row. Not installed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "formats/sniff.hpp"

namespace tdz::formats {

/// Lengths of an array's axes. Room for 64: NumPy's limit is 64, and nothing else here writes more than 16 in
/// earnest.
class Axes {
 public:
  /// False if there is no room left.
  bool add(std::uint64_t length) {
    if (count_ == lengths_.size()) return false;
    lengths_[count_++] = length;
    return true;
  }
  void reverse();
  std::span<const std::uint64_t> lengths() const { return {lengths_.data(), count_}; }
  /// How many values: 0 if an axis is empty or the product exceeds 2^60, which no file holds.
  std::uint64_t values() const;

 private:
  std::array<std::uint64_t, 64> lengths_{};
  std::size_t count_ = 0;
};

/// Sets tuple and row from axes that stand fastest first; `hint.type.tuple` counts the words of one value
/// before. A fastest axis of 2 to 8 is taken for the components of one value (x y z, RGBA), anything longer
/// for a row; axes of 1 say nothing. False if there is no value at all, or tuple or row exceed 32 bits.
bool lay_out(SniffedHint& hint, const Axes& axes);

/// Sets tuple and row of a picture whose pixels have `hint.type.tuple` words. False if it is empty or a row
/// exceeds 32 bits.
bool lay_out_picture(SniffedHint& hint, std::uint64_t width, std::uint64_t height);

}  // namespace tdz::formats
