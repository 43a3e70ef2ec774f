// SPDX-License-Identifier: Apache-2.0
// Finds the recipe for an input: what a caller did not say of word, tuple, order, zigzag and layout is tried
// out.
//
// In stages, each on fewer candidates and more bytes: shapes (word and tuple) by one difference on a few
// samples; for the best shapes the order, the layout, and a second difference along rows on all samples; for
// the winner how to pack each plane. Every judgement is a real transform and a real zstd -1, because entropy
// estimates rank layouts badly. Deterministic: depends on the input's bytes and the request, not on threads,
// backend or time.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "codec/frame_plan.hpp"
#include "codec/search/samples.hpp"
#include "codec/search/trial.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

/// What the search found. `recipes[0]` suits the input as a whole; a chunk may take another that suits it
/// clearly better. `tried` is every candidate with its size on the samples, for reports.
struct Found {
  std::vector<Recipe> recipes;
  std::vector<Candidate> tried;
  std::uint64_t sampled_bytes = 0;
};

/// What a file's own header says; never trusted, tried first.
struct Hint {
  NumberType type;
  bool big_endian = false;
  std::uint32_t row_words = 0;
};

/// Errors: usage for an impossible request, otherwise those of reading and of the trials.
Result<Found> search(RandomAccess& input, std::uint64_t raw_prefix, const SearchOptions& request,
                     const std::optional<Hint>& hint, int level, Backend& backend);

/// Which of the recipes a chunk takes; looks at a piece of it when there is more than one.
Result<std::size_t> choose_recipe(std::span<const std::byte> chunk, const std::vector<Recipe>& recipes,
                                  Trial& trial);

}  // namespace tdz
