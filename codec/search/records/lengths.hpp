// SPDX-License-Identifier: Apache-2.0
// Lengths that records of a file may have: distances at which bytes are alike. Pure functions of the bytes,
// in integers, much cheaper than a trial. Only a trial decides.
#pragma once

#include <cstddef>
#include <vector>

#include "codec/search/samples.hpp"

namespace tdz {

inline constexpr std::size_t kLongestFoundRecord = 1024;  ///< bytes; longer records are not looked for

/// Record lengths of at least 2 bytes, the most convincing first, at most 3, no multiples of one another.
/// None: the bytes repeat no structure, or the pieces are too short. All pieces count, as records have one
/// length everywhere; propose_record_lengths looks at one piece, and finds the tuples that it holds.
std::vector<std::size_t> propose_mixed_records(const Pieces& pieces);

}  // namespace tdz
