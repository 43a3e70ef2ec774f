// SPDX-License-Identifier: Apache-2.0
// The search of Effort::fastest: plans that end with packed groups, or plain bytes. What a plan takes follows
// from packing samples, without zstd, so a search takes milliseconds.
#pragma once

#include "codec/search/search.hpp"

namespace tdz {

/// The recipe for the whole input, whose frames are stored as they are. `input.repeats_after` and
/// `input.sizes` do not count here. `for_gpu`: no scale, and a row only if one is asked for: a GPU undoes it
/// in one pass, unless there is a row, or bytes are swapped. Errors: those of reading.
Result<Found> search_packed(const SearchInput& input, std::uint64_t raw_prefix, const SearchOptions& request,
                            bool for_gpu);

}  // namespace tdz
