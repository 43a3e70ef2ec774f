// SPDX-License-Identifier: Apache-2.0
// Turns the axes of an array into tuple and row. Not installed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "formats/sniff.hpp"

namespace tdz::formats {

/// The lengths of an array's axes. At most 64, the limit of NumPy; real files of other formats have at most
/// 16.
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
  /// The number of values: 0 if an axis is empty or the product exceeds 2^60, more than any file holds.
  std::uint64_t values() const;

 private:
  std::array<std::uint64_t, 64> lengths_{};
  std::size_t count_ = 0;
};

/// Sets tuple and row from the axes, the fastest axis first. Before the call, `hint.type.tuple` is the number
/// of words in one value. If the fastest axis has length 2 to 8, it is the components of one value (x y z,
/// RGBA); if it is longer, it is a row. Axes of length 1 are ignored. False if there are no values, or if
/// tuple or row exceed 32 bits.
bool lay_out(SniffedHint& hint, const Axes& axes);

/// Sets tuple and row of an image with `hint.type.tuple` words in each pixel. False if it is empty or a row
/// exceeds 32 bits.
bool lay_out_picture(SniffedHint& hint, std::uint64_t width, std::uint64_t height);

}  // namespace tdz::formats
