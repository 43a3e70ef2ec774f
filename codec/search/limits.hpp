// SPDX-License-Identifier: Apache-2.0
// How many candidates and bytes each effort tries.
#pragma once

#include <cstddef>
#include <cstdint>

#include "codec/chunk/packing.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

struct SearchLimits {
  std::size_t shapes;  ///< shapes of one kind for which orders and layouts are tried
  unsigned highest_order;
  std::size_t rows;       ///< row lengths that are tried, beside the one in a header
  std::size_t finalists;  ///< candidates that are compared on all samples
  bool each_layout;  ///< one finalist of each layout, because only a slow zstd finds some repeats of words
  Packing finalist_packing;  ///< the packing that compares finalists
  std::size_t planned;       ///< finalists whose packing is planned, to compare them
  std::size_t recipes;       ///< recipes from which a chunk takes one, at most
  std::size_t chunk_sample;  ///< bytes of a chunk on which its recipes are tried
  std::uint64_t tolerance;   ///< a faster packing may cost one part in `tolerance` of the size

  // Of the steps beside differences. n of a worth: a step must save more than one part in n.
  std::uint64_t worth_step;     ///< a step that takes time
  std::uint64_t worth_predict;  ///< prediction takes more
  std::uint64_t worth_choice;   ///< another choice that takes no more time
  int promise_predict;          ///< what statistics must promise of prediction, in parts of 1000
  unsigned highest_predictor;   ///< 0: no prediction
  std::size_t starts;       ///< words and tuples with which the search for steps begins
  std::size_t step_bytes;   ///< of a piece, to try steps
  std::size_t rows_of_steps;  ///< row lengths that are tried behind scale
  std::size_t scales;       ///< proposals of scale that are tried
  std::size_t token_codes;  ///< token codes that are tried
};

constexpr SearchLimits limits_of(Effort effort) {
  constexpr std::size_t kMiddle = std::size_t{64} << 10;
  switch (effort) {
    case Effort::fast:
      return {2, 2, 1, 2, false, Packing::quick, 1, 2, kMiddle, 200, 66, 40, 400, 20, 0, 2, kMiddle / 2, 0, 2, 1};
    case Effort::normal:
      return {3, 4, 2, 3, false, Packing::quick, 2, 3, kMiddle, 400, 100, 66, 800, 20, 8, 3, kMiddle / 2, 0, 2, 1};
    case Effort::best:
      return {6, kMaxOrder, 4, 4, true, Packing::search, 4, 5, SIZE_MAX, 5000, 200, 200, 2000, 2, 16, 6, kMiddle, 2, 3, 3};
  }
  return {};
}

/// x is smaller than y by at least one part in `parts`.
constexpr bool clearly_smaller(std::uint64_t x, std::uint64_t y, std::uint64_t parts) {
  return x + x / parts < y;
}

}  // namespace tdz
