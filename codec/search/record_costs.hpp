// SPDX-License-Identifier: Apache-2.0
// What bytes cost: the length of an adaptive code, in integers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tdz {

/// log2(x) in parts of 256, for x >= 1; exact to 1 part, by squaring in integers.
constexpr std::uint32_t log2_in_parts(std::uint64_t x) {
  std::uint32_t whole = 0;
  while (x >> (whole + 1) != 0) ++whole;
  std::uint64_t mantissa = whole <= 31 ? x << (31 - whole) : x >> (whole - 31);  // 1.0 is 2^31
  std::uint32_t parts = whole;
  for (int bit = 0; bit < 8; ++bit) {
    mantissa = mantissa * mantissa >> 31;
    parts <<= 1;
    if (mantissa >> 32 != 0) {
      mantissa >>= 1;
      parts |= 1;
    }
  }
  return parts;
}

inline constexpr std::size_t kMostCounted = 16384;  ///< bytes that one code counts

/// The logarithms of 16 c + 1: a byte that came c times before counts as c + 1/16, so that bytes that never
/// come cost little.
const std::array<std::uint16_t, kMostCounted + 1>& logs_of_counts();
/// The sum of log2(16 (i + 16)) for i < n: what n bytes would cost if each were the first of its value.
std::uint64_t logs_of_totals(std::size_t n);

/// The length of the code for the bytes that were put in, in parts of 1/256 bit.
class ByteCost {
 public:
  explicit ByteCost(const std::array<std::uint16_t, kMostCounted + 1>& logs) : logs_(&logs) {}
  void put(unsigned byte) { saved_ += (*logs_)[counts_[byte]++]; }
  void clear() {
    counts_.fill(0);
    saved_ = 0;
  }
  /// `totals`: logs_of_totals of the number of bytes.
  std::uint64_t cost(std::uint64_t totals) const { return totals - saved_; }
  /// How often the byte was within `reach` of `middle`.
  std::size_t near(unsigned middle, unsigned reach) const {
    std::size_t sum = 0;
    for (unsigned byte = middle - reach; byte <= middle + reach; ++byte) sum += counts_[byte];
    return sum;
  }

 private:
  const std::array<std::uint16_t, kMostCounted + 1>* logs_;
  std::array<std::uint16_t, 256> counts_{};
  std::uint64_t saved_ = 0;
};

}  // namespace tdz
