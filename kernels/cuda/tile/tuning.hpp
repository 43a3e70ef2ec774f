// SPDX-License-Identifier: Apache-2.0
// Numbers that only measurement can choose, as values. `rows` is compiled into the kernels, the rest is not.
// All rows: H100 80GB HBM3, November 2026 (docs/notes/gpu-scan.md).
#pragma once

#include <cstdint>

#include "kernels/cuda/tile/tile_shape.hpp"

namespace tdz::cuda {

struct ScanTuning {
  std::uint32_t rows = 0;    ///< of a segment; rows * word / 4 is odd, or rows is for words of 8 bytes
  std::uint32_t warps = 0;   ///< of a block, about
  std::uint32_t stages = 0;  ///< tiles in a block's ring
};

/// A long segment spreads the cost of the scan over many rows; where sums dominate (narrow words, high
/// orders), shorter ones leave room for a third block. Bytes of a single lane are read four at a time and
/// bear long segments.
constexpr std::uint32_t stream_rows(unsigned word, unsigned order, bool single) {
  if (word == 8) return 23;
  if (word == 4) return 47;
  if (word == 2) return (order <= 3 ? 31 : 23) * 2;
  if (single) return 47 * 4;
  return (order <= 2 ? 31 : 23) * 4;
}
/// The same where residuals come as dense planes, which wait for their turn in registers.
constexpr std::uint32_t plane_rows(unsigned word, unsigned order, bool roomy) {
  if (word == 8) return roomy && order < 8 ? 23 : 19;
  if (word == 4) return 47;
  return word == 2 ? 62 : 124;
}
/// The fewer tiles a chain has, the fewer carries travel. Seven lanes take seven warps, which long segments
/// give as large a tile as others have; with words of 2 bytes they take fourteen, and eight 64-bit sums bear
/// no long segments.
constexpr std::uint32_t chain_rows(unsigned word, unsigned order, bool seven) {
  if (word == 8) return seven && order < 8 ? 39 : 23;
  if (word == 4) return seven ? 79 : 47;
  if (word == 2) return seven ? 78 : 94;
  return 188;
}

/// Warps of a look-back's block: its crew, lookers that share out the lanes, a mover. Registers are handed
/// out to four warps at a time: 96 a thread to 20 warps, 128 to 16, which many 64-bit sums need lest they
/// spill.
constexpr std::uint32_t chain_warps(unsigned word, unsigned order) {
  return word == 8 && order >= 4 ? 16 : 20;
}
inline constexpr std::uint32_t kMaxLookers = 8;
/// None where the crew leaves no room for any.
constexpr std::uint32_t chain_lookers(const ScanSteps& steps, std::uint32_t crew) {
  const std::uint32_t others = crew + 1, warps = chain_warps(steps.word, steps.order);
  return smaller(steps.tuple, warps < others ? 0 : smaller(kMaxLookers, warps - others));
}
/// A crew of twelve warps, or of as many fewer, to nine, as let the lookers be done in fewer rounds of lanes:
/// where there are few sums, for with many of them the crew is the slower one.
constexpr std::uint32_t chain_crew(const ScanSteps& steps) {
  constexpr std::uint32_t kMost = 12, kFewest = 9;
  if (steps.order > (steps.word == 8 ? 5u : 4u)) return kMost;
  const auto rounds = [&](std::uint32_t crew) {
    const std::uint32_t lookers = chain_lookers(steps, crew);
    return lookers == 0 ? steps.tuple + 1 : (steps.tuple + lookers - 1) / lookers;
  };
  std::uint32_t best = kMost, fewest_rounds = rounds(tile_shape(steps.tuple, 1, kMost).warps());
  for (std::uint32_t crew = kMost; crew >= kFewest; --crew) {
    const std::uint32_t taken = tile_shape(steps.tuple, 1, crew).warps();
    if (taken < kFewest || rounds(taken) >= fewest_rounds) continue;
    best = crew;
    fewest_rounds = rounds(taken);
  }
  return best;
}

/// Matrix products: four small blocks a multiprocessor; with the long segments of seven lanes fewer fit.
constexpr ScanTuning matrix_tuning(const ScanSteps& steps) {
  const std::uint32_t rows = matrix_rows(steps.tuple);
  if (steps.tuple != 7) return {rows, 3, 2};
  return {rows, steps.order <= 4 ? 4u : 8u, 3};
}
constexpr ScanTuning stream_tuning(const ScanSteps& steps, bool roomy) {
  if (uses_matrix(steps)) return matrix_tuning(steps);
  if (in_dense_planes(steps))
    return {plane_rows(steps.word, steps.order, roomy), steps.word == 8 ? 6u : 8u, 3};
  const std::uint32_t rows = stream_rows(steps.word, steps.order, steps.tuple == 1);
  if (simplest(steps).layout != Layout::interleaved) return {rows, steps.word <= 2 ? 8u : 4u, 2};
  const bool long_sums = steps.word == 8 || (steps.word == 1 && steps.tuple == 1 && steps.order > 2);
  return {rows, long_sums ? 6u : 8u, 3};
}
constexpr ScanTuning difference_tuning(const ScanSteps& steps) {
  const std::uint32_t rows = stream_rows(steps.word, steps.order, steps.tuple == 1);
  if (steps.layout != Layout::interleaved) return {rows, steps.word <= 2 ? 8u : 4u, 2};
  if (steps.word == 1 && steps.tuple != 1) return {rows, 8, 2};
  const bool few = steps.word == 8 || (steps.word == 1 && steps.order > 2);
  return {rows, few ? 6u : 8u, 3};
}
constexpr ScanTuning look_back_tuning(const ScanSteps& steps, bool large_tiles) {
  const bool seven = large_tiles && tile_shape(steps.tuple, 1, 1).groups == 7;
  return {chain_rows(steps.word, steps.order, seven), seven && steps.word == 2 ? 14u : chain_crew(steps), 3};
}

/// From so many chunks on a block a chunk beats sharing out their tiles (docs/performance.md, smaller
/// batches). Where a tile has many sums to look back for, that is as soon as most multiprocessors have a
/// chunk; matrix products want three small blocks on each.
constexpr std::uint32_t stream_from_chunks(const ScanSteps& steps, std::uint32_t multiprocessors) {
  constexpr std::uint32_t kManySums = 8;
  if (uses_matrix(steps)) return 3 * multiprocessors;
  if (steps.word == 2) return multiprocessors * 3 / 2;
  const bool many = steps.word >= 4 && steps.order * steps.tuple >= kManySums;
  return many ? multiprocessors * 3 / 4 : 2 * multiprocessors;
}

}  // namespace tdz::cuda
