// SPDX-License-Identifier: Apache-2.0
// The codes of a Huffman tree: RFC 8878, section 4.2.1.3. One thread or a team finds them.
#pragma once

#include <array>
#include <cstdint>

#include "kernels/uniform/team.hpp"

namespace tdz::uniform {

inline constexpr std::size_t kSymbols = 256;
inline constexpr unsigned kLongestCode = 11;  ///< RFC 8878, section 4.2.1: of literals

using Counts = std::array<std::uint32_t, kSymbols>;
using Lengths = std::array<std::uint8_t, kSymbols>;  ///< bits of each symbol's code; 0: it has none

struct Code {
  std::uint16_t code = 0;
  std::uint16_t bits = 0;
};

/// What a team shares: by bits, where these codes begin, in units of the longest code.
struct CodeSpace {
  std::uint32_t begin[kLongestCode + 1];
};

/// From the longest codes to the shortest, among equal ones by symbol. Fills `codes` for symbols below
/// `symbols`. Lengths lie where the whole team sees them; the longest one is `longest`.
template <class Team>
TDZ_HOST_DEVICE void assign_codes(Team team, const std::uint8_t* lengths, unsigned symbols, unsigned longest,
                                  CodeSpace& space, Code* codes) {
  for (unsigned b = team.rank(); b <= kLongestCode; b += team.size()) space.begin[b] = 0;
  team.sync();
  for (unsigned s = team.rank(); s < symbols; s += team.size())
    if (lengths[s] != 0) team.add(space.begin[lengths[s] - 1], 1u << (longest - lengths[s]));
  team.sync();
  if (team.rank() == 0)
    for (unsigned bits = longest; bits > 0; --bits) space.begin[bits - 1] += space.begin[bits];
  team.sync();
  for (unsigned first = 0; first < symbols; first += team.size()) {
    const unsigned s = first + team.rank(), bits = s < symbols ? lengths[s] : 0;
    const Equals equals = team.equals(bits);  // codes of this length
    const std::uint32_t begin = bits == 0 ? 0 : space.begin[bits] >> (longest - bits);
    team.sync();
    if (bits != 0 && equals.before + 1 == equals.all) space.begin[bits] += equals.all << (longest - bits);
    team.sync();
    if (s < symbols)
      codes[s] = {static_cast<std::uint16_t>(bits == 0 ? 0 : begin + equals.before),
                  static_cast<std::uint16_t>(bits)};
  }
}

}  // namespace tdz::uniform
