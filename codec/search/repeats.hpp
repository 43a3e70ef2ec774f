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

/// Whether 16 bytes stand again, for at least one place in 128 of those that are looked at: anywhere in half
/// a MiB, and less surely farther away, where repeat_distance() looks. Without such matches nobody packs the
/// input smaller as plain bytes, or as another search of it that saw less. Precondition: fewer than 4 GiB,
/// all of which are read into memory. Errors: those of reading.
Result<bool> has_matches(RandomAccess& input);

}  // namespace tdz
