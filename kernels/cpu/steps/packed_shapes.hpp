// SPDX-License-Identifier: Apache-2.0
// Where the words of a packed group lie, as vectors take them: for each width which bytes go to each lane of
// 16 bytes, and how far the bits of its word are from there. Data only, for all instruction sets.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tdz::cpu {

/// Words of `width` bits, unpacked into lanes of sizeof(Lane) bytes. A vector takes every kStep-th word:
/// words that are half a lane long come in two vectors, the even ones and the odd ones, which join without a
/// move. So a block of 16 bytes of bits holds kStep * 16 / sizeof(Lane) words. Blocks begin at any bit, and
/// every kPeriod-th at the same bit of a byte.
template <class Lane, std::size_t kStepOf, unsigned kMost, std::size_t kPeriodOf>
struct UnpackShapes {
  static constexpr unsigned kWidest = kMost;
  static constexpr std::size_t kStep = kStepOf, kPeriod = kPeriodOf;
  static constexpr std::size_t kLanes = 16 / sizeof(Lane), kBlockWords = kStep * kLanes;

  /// [width][first word][block]: for TableLookupBytes.
  alignas(32) std::uint8_t bytes[kMost + 1][kStep][kPeriod][16] = {};
  /// Bits below the word; for lanes of 16 bits, which have no shift of their own, the power of two that moves
  /// the word to the top.
  alignas(32) Lane shifts[kMost + 1][kStep][kPeriod][kLanes] = {};

  constexpr UnpackShapes() {
    for (unsigned width = 1; width <= kMost; ++width)
      for (std::size_t first = 0; first < kStep; ++first)
        for (std::size_t block = 0; block < kPeriod; ++block) fill(width, first, block);
  }

 private:
  constexpr void fill(unsigned width, std::size_t first, std::size_t block) {
    const std::size_t begin = block * kBlockWords * width % 8;
    for (std::size_t i = 0; i < kLanes; ++i) {
      const std::size_t bit = begin + (first + i * kStep) * width;
      for (std::size_t b = 0; b < sizeof(Lane); ++b) {
        const std::size_t byte = bit / 8 + b;
        // Bytes after the block hold no bit of the word.
        bytes[width][first][block][i * sizeof(Lane) + b] = static_cast<std::uint8_t>(byte < 16 ? byte : 15);
      }
      const auto above = 8 * sizeof(Lane) - width - bit % 8;
      shifts[width][first][block][i] =
          static_cast<Lane>(sizeof(Lane) == 2 ? std::uint64_t{1} << above : bit % 8);
    }
  }
};

inline constexpr UnpackShapes<std::uint16_t, 2, 8, 1> kUnpackBytes{};
inline constexpr UnpackShapes<std::uint32_t, 2, 16, 2> kUnpackWords16{};
inline constexpr UnpackShapes<std::uint32_t, 1, 25, 2> kUnpackWords32{};
inline constexpr UnpackShapes<std::uint64_t, 2, 32, 2> kUnpackWide32{};
inline constexpr UnpackShapes<std::uint64_t, 1, 57, 4> kUnpackWords64{};

}  // namespace tdz::cpu
