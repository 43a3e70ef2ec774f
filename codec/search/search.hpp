// SPDX-License-Identifier: Apache-2.0
// Finds the recipes for an input: what a caller did not say of word, tuple, order, zigzag and layout is tried
// out.
//
// In stages, each on fewer candidates and more bytes: kinds.hpp finds shapes (word and tuple) by one
// difference on short samples; climb.hpp, for the best shapes, the order, the layout, and a second difference
// along rows; then the best few are judged piece by piece on samples as long as a frame, and packing_plan.hpp
// says how to pack each plane. Every judgement is a real transform and a real zstd -1, because entropy
// estimates rank layouts badly. Deterministic: depends on the input's bytes and the request, not on threads,
// backend or time.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "codec/chunk/frame_plan.hpp"
#include "codec/search/request.hpp"
#include "codec/search/trial.hpp"
#include "formats/sniff.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

/// What the search found. `recipes[0]` suits the input as a whole; a chunk may take another that suits it
/// clearly better. For reports: `tried` is every candidate for the whole input with its size on the pieces
/// `tried_on`, which lie in `samples`.
struct Found {
  std::vector<Recipe> recipes;
  std::vector<Candidate> tried;
  Samples samples;
  Pieces tried_on;
};

/// Errors: those of reading and of the trials.
Result<Found> search(RandomAccess& input, std::uint64_t raw_prefix, const SearchOptions& request,
                     const std::optional<formats::SniffedHint>& hint, int level, Backend& backend);

/// Which of the recipes a chunk takes; tries them on the chunk's middle `sample` bytes when there is more
/// than one.
Result<std::size_t> choose_recipe(std::span<const std::byte> chunk, const std::vector<Recipe>& recipes,
                                  std::size_t sample, Trial& trial);

}  // namespace tdz
