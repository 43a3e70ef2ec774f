// SPDX-License-Identifier: Apache-2.0
// Which words of a tile are holes, and the rank of each among the chunk's holes. For host and device.
#pragma once

#include <cstdint>

#include "kernels/cuda/steps/word_access.hpp"
#include "kernels/uniform/team.hpp"

namespace tdz::cuda {

inline constexpr std::uint32_t kScaleTile = 4096;  ///< words that a thread block takes
inline constexpr std::uint32_t kTileBits = kScaleTile / 32;

TDZ_HOST_DEVICE constexpr std::uint32_t scale_tiles(std::uint32_t words) {
  return words == 0 ? 1 : (words + kScaleTile - 1) / kScaleTile;
}

/// The bits of words [32 group, 32 group + 32) of a bitmap of `bytes` bytes; behind its end they are zero.
TDZ_HOST_DEVICE inline std::uint32_t bitmap_group(const Byte* bitmap, std::uint32_t bytes,
                                                  std::uint32_t group) {
  std::uint32_t bits = 0;
  for (std::uint32_t b = 0; b < 4; ++b) {
    if (4 * group + b < bytes) bits |= std::uint32_t{bitmap[4 * group + b]} << (8 * b);
  }
  return bits;
}

/// Of 32 words: their bits, and how many holes of the chunk stand before them.
struct HoleGroup {
  std::uint32_t bits, before;  // no initial values: a table of them lies in shared memory

  TDZ_HOST_DEVICE bool is_hole(std::uint32_t i) const { return (bits >> i % 32 & 1) != 0; }
  TDZ_HOST_DEVICE std::uint32_t rank(std::uint32_t i) const {
    return before + uniform::ones_of(bits & ((std::uint32_t{1} << i % 32) - 1));
  }
};

}  // namespace tdz::cuda
