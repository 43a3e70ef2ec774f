// SPDX-License-Identifier: Apache-2.0
// The codes of a Huffman tree: RFC 8878, section 4.2.1.3. One thread or a team finds them.
#pragma once

#include <cstdint>

#include "kernels/uniform/code_lengths.hpp"
#include "kernels/uniform/team.hpp"

namespace tdz::uniform {

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
  for (unsigned s = team.rank(); s < symbols; s += team.size()) {
    const unsigned bits = lengths[s];
    codes[s] = {};
    if (bits == 0) continue;
    unsigned before = 0;  // codes of this length
    if constexpr (Team::kAlone) {
      space.begin[bits] += 1u << (longest - bits);
      before = ~0u;
    } else {
      for (unsigned other = 0; other < s; ++other) before += lengths[other] == bits;
    }
    codes[s] = {static_cast<std::uint16_t>((space.begin[bits] >> (longest - bits)) + before),
                static_cast<std::uint16_t>(bits)};
  }
}

}  // namespace tdz::uniform
