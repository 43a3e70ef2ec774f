// SPDX-License-Identifier: Apache-2.0
// Huffman codes with a longest length. Pure functions, thread-safe.
#pragma once

#include <array>
#include <cstdint>

namespace tdz::uniform {

inline constexpr std::size_t kSymbols = 256;
inline constexpr unsigned kLongestCode = 11;  ///< RFC 8878, section 4.2.1: of literals

using Counts = std::array<std::uint32_t, kSymbols>;
using Lengths = std::array<std::uint8_t, kSymbols>;  ///< bits of each symbol's code; 0: it has none

/// The lengths, at most `limit`, with the smallest sum of bits. Only symbols with a count have a code.
/// Between equal counts the symbol decides, so the result depends on the counts alone. Precondition: at least
/// two symbols have a count, the sum of counts is below 2^24, and limit is 8 to 11.
Lengths code_lengths(const Counts& counts, unsigned limit);

}  // namespace tdz::uniform
