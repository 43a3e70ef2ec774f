// SPDX-License-Identifier: Apache-2.0
// Maps of one word. For host and device.
#pragma once

#include <cstdint>

#include "kernels/scan_algebra.hpp"

namespace tdz::cuda {

enum class WordMap : std::uint8_t { copy, byteswap, undo_zigzag };

/// Bits above the word's width mean nothing in the result.
TDZ_HOST_DEVICE constexpr std::uint64_t without_zigzag(std::uint64_t word) {
  return word >> 1 ^ (0 - (word & 1));
}

template <unsigned Width>
TDZ_HOST_DEVICE constexpr std::uint64_t byteswapped(std::uint64_t word) {
  std::uint64_t swapped = 0;
  for (unsigned b = 0; b < Width; ++b) swapped |= (word >> (8 * b) & 0xFF) << (8 * (Width - 1 - b));
  return swapped;
}

template <unsigned Width>
TDZ_HOST_DEVICE constexpr std::uint64_t mapped(WordMap map, std::uint64_t word) {
  switch (map) {
    case WordMap::copy:
      return word;
    case WordMap::byteswap:
      return byteswapped<Width>(word);
    case WordMap::undo_zigzag:
      return without_zigzag(word);
  }
  return word;
}

}  // namespace tdz::cuda
