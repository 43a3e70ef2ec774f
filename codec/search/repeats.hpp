// SPDX-License-Identifier: Apache-2.0
// Does an input repeat itself over a distance that samples do not show? Then long chunks pay.
#pragma once

#include <cstdint>

#include "formats/error.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

/// The distance in bytes, at least 64 KiB, after which stretches of the input stand again, or 0. Looks at the
/// first 16 MiB behind `offset`, 4 MiB in a millisecond. Errors: those of read_at.
Result<std::uint64_t> repeat_distance(RandomAccess& input, std::uint64_t offset);

/// Of the places that were looked at, those whose 16 bytes stood before; and the same of those that begin no
/// run of one byte, which steps leave as it is.
struct Matches {
  std::size_t places = 0, found = 0;
  std::size_t others = 0, found_of_others = 0;

  bool are_one_in(std::size_t n) const { return found * n >= places; }
  bool without_runs_are_one_in(std::size_t n) const { return found_of_others * n > others; }
};

/// Looks for matches anywhere in half a MiB, and less surely farther away, where repeat_distance() looks.
/// Precondition: fewer than 4 GiB, all of which are read into memory. Errors: those of reading.
Result<Matches> matches_in(RandomAccess& input);

/// Where fewer places match, nobody packs an input smaller as plain bytes than with steps.
inline constexpr std::size_t kFewMatches = 128;

}  // namespace tdz
