// SPDX-License-Identifier: Apache-2.0
// Logarithms in integers: what decides about bytes uses no libm.
#pragma once

#include <bit>
#include <cstdint>

namespace tdz {

/// Bits with 8 places after the point.
using BitsTimes256 = std::uint64_t;
inline constexpr BitsTimes256 kBit = 256;

/// log2, within 0.01. Precondition: x > 0.
constexpr BitsTimes256 log2_of(std::uint64_t x) {
  const unsigned f = static_cast<unsigned>(std::bit_width(x)) - 1;
  const std::uint64_t t = (f >= 8 ? x >> (f - 8) : x << (8 - f)) & 255;  // x is near 2^f (1 + t / 256)
  return f * kBit + t + (t * (256 - t) * 88 >> 16);  // log2(1 + t) is near t + 0.344 t (1 - t)
}

}  // namespace tdz
