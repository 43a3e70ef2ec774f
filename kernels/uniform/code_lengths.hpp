// SPDX-License-Identifier: Apache-2.0
// Huffman codes with a longest length.
#pragma once

#include <array>
#include <cstdint>

namespace tdz::uniform {

inline constexpr std::size_t kSymbols = 256;
inline constexpr unsigned kLongestCode = 11;  ///< RFC 8878, section 4.2.1: of literals

using Counts = std::array<std::uint32_t, kSymbols>;
using Lengths = std::array<std::uint8_t, kSymbols>;  ///< bits of each symbol's code; 0: it has none

}  // namespace tdz::uniform
