// SPDX-License-Identifier: Apache-2.0
// How many candidates and bytes each effort tries.
#pragma once

#include <cstddef>
#include <cstdint>

#include "formats/plan/plan.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

/// Chunk lengths if the caller set none. Text needs long chunks: its repeats lie far apart, and zstd's window
/// is 8 MiB.
inline constexpr std::uint32_t kChunkWithoutNumbers = 8u << 20;
inline constexpr std::uint32_t kBestChunkWithoutNumbers = 16u << 20;
/// A chunk of numbers that the best effort takes where it may.
inline constexpr std::uint32_t kLongChunk = 4u << 20;

/// What takes little time is tried on inputs of at most this length.
inline constexpr std::size_t kCheapToTryOn = std::size_t{4} << 20;

struct SearchLimits {
  std::size_t shapes = 0;  ///< shapes of one kind for which orders and layouts are tried
  unsigned highest_order = 0;
  /// Candidates of a short input are ranked on half as many bytes. Not with --fast, which has no steps that
  /// make good for a wrong order.
  bool half_of_short = false;
  std::size_t rows = 0;       ///< row lengths that are tried, beside the one in a header
  std::size_t finalists = 0;  ///< candidates that are compared on all samples
  /// One finalist of each layout, because only a slow zstd finds some repeats of words.
  bool each_layout = false;
  Packing finalist_packing = Packing::quick;  ///< the packing that compares finalists
  std::size_t planned = 1;                    ///< finalists whose packing is planned, to compare them
  std::size_t recipes = 1;                    ///< recipes from which a chunk takes one, at most
  std::size_t chunk_sample = SIZE_MAX;        ///< bytes of a chunk on which its recipes are tried
  std::uint64_t tolerance = 0;  ///< a faster packing may cost one part in `tolerance` of the size
  /// Repeats farther apart are left alone: their chunks leave the caches, and decode a quarter slower. Up to
  /// the level of `normal` zstd itself sees no farther than 2 MiB.
  std::uint64_t farthest_repeat = UINT64_MAX;

  // Of the steps beside differences. Worth n: a step must save more than one part in n.
  std::size_t starts = 1;            ///< words and tuples with which the search for steps begins
  std::size_t step_bytes = 0;        ///< of a piece, to try steps
  std::uint64_t worth_step = 0;      ///< a step that takes time
  std::uint64_t worth_predict = 0;   ///< prediction takes more
  std::uint64_t worth_choice = 0;    ///< another choice that takes no more time
  std::uint64_t worth_columns = 50;  ///< columns of mixed widths instead of one
  int promise_predict = 0;           ///< what statistics must promise of prediction, in parts of 1000
  /// The same after a difference over rows: edges of pictures hide what prediction saves.
  int promise_over_rows = 0;
  unsigned highest_predictor = 0;  ///< 0: no prediction
  std::size_t scales = 1;          ///< proposals of scale that are tried
  std::size_t rows_of_steps = 0;   ///< row lengths that are tried where steps are, beside one that is known
  std::size_t token_codes = 1;     ///< token codes that are tried, beside short ones
  bool quick_reading = false;      ///< tokens that are decoded faster may cost one part in `tolerance`
  std::size_t grid_lines = 0;      ///< lengths of lines for which a grid is tried; 0: no grid
  std::size_t close_drafts = 1;    ///< drafts of a start that are hardly larger than its best
  std::size_t drafts = 1;          ///< drafts of all starts that become finalists
};

inline constexpr SearchLimits kFastLimits{
    .shapes = 3,
    .highest_order = 2,
    .rows = 1,
    .finalists = 2,
    .planned = 1,
    .recipes = 2,
    .chunk_sample = std::size_t{64} << 10,
    .tolerance = 200,
    .farthest_repeat = std::uint64_t{3} << 20,
    .starts = 2,
    .step_bytes = std::size_t{32} << 10,
    .worth_step = 66,
    .worth_choice = 400,
    .scales = 2,
    .rows_of_steps = 1,
    .drafts = 2,
};

inline constexpr SearchLimits kNormalLimits{
    .shapes = 3,
    .highest_order = 4,
    .half_of_short = true,
    .rows = 2,
    .finalists = 3,
    .planned = 3,
    .recipes = 3,
    .chunk_sample = std::size_t{64} << 10,
    .tolerance = 400,
    .farthest_repeat = std::uint64_t{3} << 20,
    .starts = 3,
    .step_bytes = std::size_t{32} << 10,
    .worth_step = 100,
    .worth_predict = 66,
    .worth_choice = 800,
    .promise_predict = 10,
    .promise_over_rows = 20,
    .highest_predictor = 12,  // 8 to 12: audio 1 to 1.7 % smaller; 16: 0.4 % more
    .scales = 2,
    .rows_of_steps = 1,
    .grid_lines = 2,
    .close_drafts = 2,
    .drafts = 3,
};

inline constexpr SearchLimits kBestLimits{
    .shapes = 6,
    .highest_order = kMaxOrder,
    .half_of_short = true,
    .rows = 4,
    .finalists = 4,
    .each_layout = true,
    .finalist_packing = Packing::search,
    .planned = 4,
    .recipes = 5,
    .tolerance = 5000,
    .starts = 6,
    .step_bytes = std::size_t{64} << 10,
    .worth_step = 200,
    .worth_predict = 200,
    .worth_choice = 2000,
    .worth_columns = 200,
    .promise_predict = 2,
    .promise_over_rows = -20,
    .highest_predictor = 32,
    .scales = 3,
    .rows_of_steps = 2,
    .token_codes = 3,
    .grid_lines = 3,
    .close_drafts = 3,
    .drafts = 6,
};

constexpr SearchLimits limits_of(Effort effort) {
  switch (effort) {
    case Effort::fastest:  // packed_search.cpp has a search of its own
    case Effort::fast:
      return kFastLimits;
    case Effort::normal:
      return kNormalLimits;
    case Effort::best:
      return kBestLimits;
  }
  return {};
}

/// x is smaller than y by at least one part in `parts`.
constexpr bool clearly_smaller(std::uint64_t x, std::uint64_t y, std::uint64_t parts) {
  return x + x / parts < y;
}

}  // namespace tdz
