// SPDX-License-Identifier: Apache-2.0
// The words of one column, lane by lane. A tuple's words lie side by side (interleaved) or lane after lane;
// the steps on lanes work on the second form, where a lane is one run of memory.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace tdz {

/// Words of `width` bytes (1 to 8), each in `word` bytes of memory (1, 2, 4 or 8, the next that holds it),
/// little-endian. Bytes of a word above its width are zero. All sums are mod 2^(8 width).
struct LaneMap {
  std::uint8_t word = 1;
  std::uint8_t width = 1;
  std::uint32_t tuple = 1;
  std::size_t words = 0;

  static constexpr LaneMap of_width(unsigned width, std::uint32_t tuple, std::size_t words) {
    return {static_cast<std::uint8_t>(std::bit_ceil(width)), static_cast<std::uint8_t>(width), tuple, words};
  }

  constexpr unsigned bits() const { return 8u * width; }
  constexpr std::uint64_t mask() const { return ~std::uint64_t{0} >> (64 - bits()); }

  /// A tuple wider than the column has lanes of one word and lanes of none; only the first count.
  constexpr std::size_t lanes() const { return std::min<std::size_t>(tuple, words); }
  constexpr std::size_t length(std::size_t lane) const {
    return words / tuple + (lane < words % tuple ? 1 : 0);
  }
  /// The words of the lanes before this one: where the lane begins when lane lies after lane.
  constexpr std::size_t first(std::size_t lane) const {
    return lane * (words / tuple) + std::min<std::size_t>(lane, words % tuple);
  }
};

/// Runs of `run` words, the last one perhaps shorter, in a lane of `words` words; 0: the lane is one run.
constexpr std::size_t runs_of(std::size_t words, std::size_t run) {
  if (words == 0) return 0;
  return run == 0 ? 1 : (words + run - 1) / run;
}
/// In all lanes.
constexpr std::size_t runs_of(const LaneMap& map, std::size_t run) {
  const std::size_t lanes = map.lanes(), longer = lanes == map.tuple ? map.words % map.tuple : lanes;
  return longer * runs_of(map.words / map.tuple + 1, run) +
         (lanes - longer) * runs_of(map.words / map.tuple, run);
}

}  // namespace tdz
