// SPDX-License-Identifier: Apache-2.0
// The search of Effort::fastest: plans that end with packed groups, or plain bytes. What a plan takes follows
// from packing samples, without zstd, so a search takes milliseconds.
#pragma once

#include "codec/search/search.hpp"

namespace tdz {

/// The recipe for the whole input, whose frames are stored as they are. `input.repeats_after` and
/// `input.sizes` do not count here. `for_gpu`: the plan has runs, and only what a GPU undoes in one pass.
/// Errors: those of reading.
Result<Found> search_packed(const SearchInput& input, std::uint64_t raw_prefix, const SearchOptions& request,
                            bool for_gpu);

}  // namespace tdz
