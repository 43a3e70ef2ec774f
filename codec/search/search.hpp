// SPDX-License-Identifier: Apache-2.0
// Finds the recipes for an input. It keeps what the caller set of word, tuple, order, zigzag and layout, and
// tries values for the rest.
//
// The search has stages; each tries fewer candidates on more bytes. kinds.hpp finds shapes (word and tuple)
// with one difference on short samples. climb.hpp finds the order, the layout and a second difference over
// rows for the best shapes. steps_search.hpp tries scale, lanes, predict and tokens with the best of them,
// and with other shapes that statistics propose (starts.hpp); grid_proposals.hpp proposes grids, and rows
// that are too long for these pieces. Then the best few, the finalists, are compared on longer samples.
// record_search.hpp adds a plan of several columns where the input holds records of mixed fields. For the
// recipes that win, packing_plan.hpp chooses the packing of each plane, and recipe_changes.hpp adds the pairs
// of scale that pieces found by themselves.
//
// prepare.hpp calls this search. Before it, repeats.hpp looks for repeats that are farther apart than samples
// show. After it, gpu_frames.hpp may replace a recipe by one with frames for a GPU, and prepare.cpp keeps the
// laws of size: no effort is larger than a quicker one, and none is larger than plain bytes.
//
// Every comparison does the real transform and packs with zstd, usually at level 1, because entropy estimates
// rank layouts badly. The result depends on the input's bytes and the request, not on threads, backend or
// time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "codec/chunk/frame_plan.hpp"
#include "codec/search/column/kinds.hpp"
#include "codec/search/trial.hpp"
#include "formats/sniff.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

/// From this number of lanes of tokens on, a block of zstd holds several lanes, with one Huffman code for all
/// of them. Uniform blocks have a code for each lane.
inline constexpr std::uint32_t kManyLanes = 16;

/// What the search found. `recipes[0]` suits the whole input; a chunk may take another recipe that makes it
/// clearly smaller. For reports: `tried` holds every candidate for the whole input, with its packed size on
/// the pieces `tried_on`; these lie in `samples`.
struct Found {
  std::vector<Recipe> recipes;
  std::vector<Candidate> tried;
  Samples samples;
  Pieces tried_on;
  /// Bytes that join the raw prefix; the numbers begin after these bytes.
  std::uint64_t skipped = 0;
  /// Bytes after which the input stands again, or 0: chunks should hold them twice.
  std::uint64_t repeats_after = 0;
  /// A recipe with kManyLanes lanes of tokens or more, and hardly larger than the only recipe: uniform blocks
  /// may make it the smaller one.
  std::optional<Recipe> many_lanes;
  /// Of the only recipe, if it was chosen for a GPU: the part of the size of what a CPU would get by which it
  /// is larger.
  std::optional<double> larger_for_gpu;
};

/// The input, and what is known of it before the search.
struct SearchInput {
  RandomAccess& input;
  const std::optional<formats::SniffedHint>& hint;
  std::uint64_t repeats_after;  ///< as repeat_distance() says
  std::uint32_t chunk_bytes;    ///< how long chunks will be, or 0 if the numbers decide
  KnownSizes* sizes;            ///< of the search of another effort; may be null
  bool for_gpu = false;         ///< only steps that a device undoes
};

/// What this effort alone finds; it may be larger than what a quicker one finds. Errors: those of reading and
/// of the trials.
Result<Found> search(const SearchInput& input, std::uint64_t raw_prefix, const SearchOptions& request,
                     int level);

/// The search of Effort::fastest (packed_search.cpp): plans that end with packed groups, or plain bytes. What
/// a plan takes follows from packing samples, without zstd, so this search takes milliseconds. Returns the
/// recipe for the whole input, whose frames are stored as they are. `input.repeats_after` and `input.sizes`
/// do not count here. `for_gpu`: no scale, and a row only if one is asked for: a GPU undoes it in one pass,
/// unless there is a row, or bytes are swapped. Errors: those of reading.
Result<Found> search_packed(const SearchInput& input, std::uint64_t raw_prefix, const SearchOptions& request,
                            bool for_gpu);

/// The level of trials that choose among recipes: they should take less time than packing.
constexpr int level_to_choose(int level) {
  return std::min(level, kDefaultLevel);
}

/// The bytes of a chunk on which recipes are tried. A grid has predictors for each place, and they pay only
/// where a place has many lines.
std::size_t sample_with_lines(const std::vector<Recipe>& recipes, std::size_t sample);

/// The index of the recipe for a chunk. If there are several, they are tried on `sample` bytes of
/// its begin, middle and end. `trial` is of level_to_choose.
Result<std::size_t> choose_recipe(std::span<const std::byte> chunk, const std::vector<Recipe>& recipes,
                                  std::size_t sample, Trial& trial);

}  // namespace tdz
