// SPDX-License-Identifier: Apache-2.0
// Numbers that only measurement can choose, as values. `rows` is compiled into the kernels, the rest is not.
// All rows: H100 80GB HBM3, November 2026 (docs/notes/gpu-scan.md).
#pragma once

#include <cstdint>

#include "kernels/cuda/tile_shape.hpp"

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
/// The fewer tiles a chain has, the fewer carries travel. Seven lanes take seven warps, or fourteen with
/// shorter segments, which leave fewer lookers: that pays for words of 2 bytes only.
constexpr std::uint32_t chain_rows(unsigned word, bool fourteen) {
  if (word == 8) return 23;
  return (fourteen ? 39 : 47) * 4 / word;
}

/// Matrix products: four small blocks a multiprocessor; with the long segments of seven lanes fewer fit.
constexpr ScanTuning matrix_tuning(const ScanSteps& steps) {
  const std::uint32_t rows = matrix_rows(steps.tuple);
  if (steps.tuple != 7) return {rows, 3, 2};
  return {rows, steps.order <= 4 ? 4u : 8u, 3};
}
constexpr ScanTuning stream_tuning(const ScanSteps& steps) {
  if (uses_matrix(steps)) return matrix_tuning(steps);
  const std::uint32_t rows = stream_rows(steps.word, steps.order, steps.tuple == 1);
  if (steps.layout != Layout::interleaved) return {rows, steps.word <= 2 ? 8u : 4u, 2};
  const bool long_sums = steps.word == 8 || (steps.word == 1 && steps.tuple == 1 && steps.order > 2);
  return {rows, long_sums ? 6u : 8u, 3};
}
constexpr ScanTuning difference_tuning(const ScanSteps& steps) {
  return stream_tuning(steps);
}
constexpr ScanTuning look_back_tuning(const ScanSteps& steps) {
  const bool fourteen = steps.word == 2 && tile_shape(steps.tuple, 1, 1).groups == 7;
  return {chain_rows(steps.word, fourteen), fourteen ? 14u : 12u, 3};
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
