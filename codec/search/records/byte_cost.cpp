// SPDX-License-Identifier: Apache-2.0
#include "codec/search/records/byte_cost.hpp"

#include <bit>
#include <numeric>

namespace tdz {
namespace {

constexpr int kFractionBits = 8;
static_assert(kPartsOfBit == 1u << kFractionBits);

/// log2(x) in parts of a bit, rounded down, for x >= 1. Each squaring of the mantissa gives one more bit.
std::uint32_t log2_in_parts(std::uint32_t x) {
  const int whole = static_cast<int>(std::bit_width(x)) - 1;
  std::uint64_t mantissa = std::uint64_t{x} << (31 - whole);  // 1.0 is 2^31
  auto parts = static_cast<std::uint32_t>(whole);
  for (int bit = 0; bit < kFractionBits; ++bit) {
    mantissa = mantissa * mantissa >> 31;
    const std::uint32_t carry = mantissa >> 32 != 0;
    mantissa >>= carry;
    parts = parts << 1 | carry;
  }
  return parts;
}

}  // namespace

const CountLogs& logs_of_counts() {
  static const CountLogs logs = [] {
    CountLogs table{};
    for (std::uint32_t c = 0; c < table.size(); ++c)
      table[c] = static_cast<std::uint16_t>(log2_in_parts(16 * c + 1));
    return table;
  }();
  return logs;
}

std::uint64_t saved_by_equal(std::size_t n) {
  return std::accumulate(logs_of_counts().begin(), logs_of_counts().begin() + static_cast<std::ptrdiff_t>(n),
                         std::uint64_t{0});
}

}  // namespace tdz
