// SPDX-License-Identifier: Apache-2.0
// How far each effort goes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "codec/chunk/packing.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

struct Reach {
  std::size_t shapes;  ///< of one kind of numbers, that orders and layouts are tried for
  unsigned highest_order;
  std::size_t rows;       ///< row lengths tried beside a hinted one
  std::size_t finalists;  ///< that are judged by what becomes of a whole chunk
  bool each_layout;     ///< a finalist of each layout: what repeats in words may only show to a thorough zstd
  Packing judge;        ///< what finalists are packed with
  std::size_t recipes;  ///< for chunks to choose from
  std::size_t chunk_sample;  ///< bytes of a chunk that its choice is tried on
  std::uint64_t tolerance;   ///< one part of it: what a faster packing may cost
};

constexpr Reach reach_of(Effort effort) {
  constexpr std::size_t kMiddle = std::size_t{64} << 10;
  switch (effort) {
    case Effort::fast:
      return {2, 2, 1, 2, false, Packing::quick, 2, kMiddle, 200};
    case Effort::normal:
      return {3, 4, 2, 3, false, Packing::quick, 3, kMiddle, 400};
    case Effort::best:
      return {6, kMaxOrder, 4, 4, true, Packing::search, 5, SIZE_MAX, 5000};
  }
  return {};
}

/// x is smaller than y by at least one part in `parts`.
constexpr bool clearly_smaller(std::uint64_t x, std::uint64_t y, std::uint64_t parts) {
  return x + x / parts < y;
}

}  // namespace tdz
