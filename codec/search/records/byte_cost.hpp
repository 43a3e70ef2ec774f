// SPDX-License-Identifier: Apache-2.0
// What bytes cost: the length of an adaptive code, in integers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tdz {

/// Costs are counted in these parts of a bit.
inline constexpr std::uint64_t kPartsOfBit = 256;

inline constexpr std::size_t kMostCounted = 16384;  ///< bytes that one ByteCost counts

using CountLogs = std::array<std::uint16_t, kMostCounted + 1>;
/// log2(16 c + 1) for each count c: a byte that came c times before weighs c + 1/16, so that bytes that never
/// come cost little.
const CountLogs& logs_of_counts();
/// The sum of the first n logarithms: what n equal bytes save.
std::uint64_t saved_by_equal(std::size_t n);

/// The length of the code for the bytes that were put in, beyond that of equal bytes. So what a code must
/// learn of bytes that never change costs nothing, even where there are few.
class ByteCost {
 public:
  ByteCost() : logs_(&logs_of_counts()) {}
  void put(unsigned byte) { saved_ += (*logs_)[counts_[byte]++]; }
  /// `equal`: saved_by_equal of the number of bytes.
  std::uint64_t cost(std::uint64_t equal) const { return equal - saved_; }
  /// How many bytes were within `reach` of `middle`.
  std::size_t near(unsigned middle, unsigned reach) const {
    std::size_t sum = 0;
    for (unsigned byte = middle - reach; byte <= middle + reach; ++byte) sum += counts_[byte];
    return sum;
  }

 private:
  const CountLogs* logs_;
  std::array<std::uint16_t, 256> counts_{};
  std::uint64_t saved_ = 0;
};

}  // namespace tdz
