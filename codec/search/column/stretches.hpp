// SPDX-License-Identifier: Apache-2.0
// Which of two lists of recipes suits the input better, by coding contiguous stretches of it as chunks are
// coded. The samples of the search are joined of pieces; a contiguous chunk may come out otherwise.
#pragma once

#include <vector>

#include "codec/chunk/frame_plan.hpp"
#include "codec/search/trial.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

/// The packed size of a few stretches of 1 MiB, each with the recipe that suits it best. Errors: those of
/// read_at and of Trial.
Result<std::uint64_t> size_of_stretches(RandomAccess& input, std::uint64_t offset,
                                        const std::vector<Recipe>& recipes, Trial& trial);

/// A chunk that the best effort takes where it may.
inline constexpr std::uint32_t kLongChunk = 4u << 20;

/// Whether chunks of kLongChunk make the begin and the end of the input no larger than chunks of 1 MiB do, each chunk
/// with the recipe that suits it best. A quick packing is asked first, the real one only where that one says no. Errors
/// as above.
Result<bool> suits_long_chunks(RandomAccess& input, std::uint64_t offset, const std::vector<Recipe>& recipes,
                               Trial& trial);

}  // namespace tdz
