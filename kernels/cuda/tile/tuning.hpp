// SPDX-License-Identifier: Apache-2.0
// Numbers that only a measurement can choose, as values. `rows` is compiled into the kernels, the others are
// not. Measured on an H100 80GB HBM3, or on an H200 where that is said, November 2026
// (docs/notes/gpu-scan.md).
#pragma once

#include <cstdint>

#include "kernels/cuda/tile/tile_shape.hpp"

namespace tdz::cuda {

struct ScanTuning {
  /// Of a segment. rows * word / 4 is odd; for words of 8 bytes, rows is odd. A launcher that has no kernel
  /// for this number takes the kernel with its usual number.
  std::uint32_t rows = 0;
  std::uint32_t warps = 0;   ///< of a block, about
  std::uint32_t stages = 0;  ///< of a block's ring, one tile each
};

/// A long segment spreads the cost of the scan over many rows. Where sums dominate (bytes in tuples, high
/// orders), shorter segments leave room for a third block. Bytes of a single lane are read four at a time, so
/// long segments pay there. Words of 2 bytes: H200.
constexpr std::uint32_t stream_rows(unsigned word, unsigned order, bool single) {
  if (word == 8) return 23;
  if (word == 4) return 47;
  if (word == 2) return 62;
  if (single) return 47 * 4;
  return (order <= 2 ? 31 : 23) * 4;
}
/// Where single and several lanes have different rows, they have two kernels; this says whether each leaves
/// out the other's code. Bytes do so up to order 4 only: without that code a single lane is 6 to 9 % slower
/// at order 8, and equal or faster at orders 1 to 4 (H200).
constexpr bool leaves_out_other_kind(unsigned word, unsigned order) {
  return word != 1 || order <= 4;
}
/// The same for the difference of several lanes. There bytes of order 1 keep the code for a single lane:
/// without it, tuple planes of 2, 4 and 8 lanes are 2 to 4 % slower (H200).
constexpr bool difference_leaves_out_single_lane(unsigned word, unsigned order) {
  return leaves_out_other_kind(word, order) && (word != 1 || order != 1);
}
/// Rows where residuals come as dense planes, which a thread keeps in registers.
constexpr std::uint32_t plane_rows(unsigned word, unsigned order, bool roomy) {
  if (word == 8) return roomy && order < 8 ? 23 : 19;
  if (word == 4) return 47;
  return word == 2 ? 62 : 124;
}
/// Rows of a look-back. With fewer tiles, fewer carries travel. Seven groups of lanes (tuples of 7, 14, 28,
/// ...) take seven warps; long segments make their tiles as large as those of other tuples. With words of 2
/// bytes they take fourteen warps, and five groups take fifteen (H200). With eight 64-bit sums long segments
/// do not pay.
constexpr std::uint32_t look_back_rows(unsigned word, unsigned order, bool uneven) {
  if (word == 8) return uneven && order < 8 ? 39 : 23;
  if (word == 4) return uneven ? 79 : 47;
  if (word == 2) return uneven ? 78 : 94;
  return 188;
}
/// Groups of lanes that leave some of twelve warps without work.
constexpr bool is_uneven(const Pass& steps) {
  const std::uint32_t groups = tile_shape(steps.tuple, 1, 1).groups;
  const bool in_place = simplest(steps).layout == Layout::interleaved;
  return groups == 7 || (groups == 5 && steps.word == 2 && in_place);
}

/// Warps of a look-back's block: compute warps, look-back warps that share the lanes, one producer warp.
/// Registers are allocated to four warps at a time: 20 warps have 96 for each thread, 16 warps have 128. Many
/// 64-bit sums need 128, or they spill.
constexpr std::uint32_t look_back_block_warps(unsigned word, unsigned order) {
  return word == 8 && order >= 4 ? 16 : 20;
}
inline constexpr std::uint32_t kMaxLookBackWarps = 8;
/// How many look-back warps there are besides the compute warps; 0 if there is no room for them.
constexpr std::uint32_t look_back_warps(const Pass& steps, std::uint32_t compute_warps) {
  const std::uint32_t others = compute_warps + 1, warps = look_back_block_warps(steps.word, steps.order);
  return smaller(steps.tuple, warps < others ? 0 : smaller(kMaxLookBackWarps, warps - others));
}
/// Compute warps: twelve. Few sums of 64 bits take fewer (down to nine) if the look-back warps then need
/// fewer rounds for all lanes. That makes narrower words slower (H200), and many sums too: there the compute
/// warps are the slower ones.
constexpr std::uint32_t look_back_compute_warps(const Pass& steps) {
  constexpr std::uint32_t kMost = 12, kFewest = 9;
  if (steps.word != 8 || steps.order > 5) return kMost;
  const auto rounds = [&](std::uint32_t compute_warps) {
    const std::uint32_t others = look_back_warps(steps, compute_warps);
    return others == 0 ? steps.tuple + 1 : (steps.tuple + others - 1) / others;
  };
  std::uint32_t best = kMost, fewest_rounds = rounds(tile_shape(steps.tuple, 1, kMost).warps());
  for (std::uint32_t wanted = kMost; wanted >= kFewest; --wanted) {
    const std::uint32_t taken = tile_shape(steps.tuple, 1, wanted).warps();
    if (taken < kFewest || rounds(taken) >= fewest_rounds) continue;
    best = wanted;
    fewest_rounds = rounds(taken);
  }
  return best;
}

/// Matrix products in which a value depends on one slice of past bytes.
constexpr bool has_few_products(const Pass& steps) {
  return uses_matrix(steps) && steps.tuple != 7 && steps.order * steps.tuple <= kGranule;
}
/// Few products: two blocks on a multiprocessor (H200). Where products dominate: four small ones. With the
/// long segments of a tuple of 7 fewer fit.
constexpr ScanTuning matrix_tuning(const Pass& steps) {
  const std::uint32_t rows = matrix_rows(steps.tuple);
  if (steps.tuple == 7) return {rows, steps.order <= 4 ? 4u : 8u, 3};
  if (has_few_products(steps)) return {rows, 4, 3};
  return {rows, 3, 2};
}
/// Warps of a stream's block that works in place. Where sums dominate, smaller blocks are better (H200):
/// while one of them waits for its slowest warp, another one computes.
constexpr std::uint32_t stream_warps(const Pass& steps) {
  if (steps.word == 1 && steps.tuple == 1) return steps.order <= 3 ? 6 : 4;
  if (steps.word == 8) return steps.order == 8 && steps.tuple == 1 ? 4 : 6;
  return steps.word == 4 && steps.order > 6 ? 6 : 8;
}
constexpr ScanTuning stream_tuning(const Pass& steps, bool roomy) {
  if (uses_matrix(steps)) return matrix_tuning(steps);
  if (in_dense_planes(steps))
    return {plane_rows(steps.word, steps.order, roomy), steps.word == 8 ? 6u : 8u, 3};
  const std::uint32_t rows = stream_rows(steps.word, steps.order, steps.tuple == 1);
  if (simplest(steps).layout != Layout::interleaved) return {rows, steps.word <= 2 ? 8u : 4u, 2};
  return {rows, stream_warps(steps), 3};
}
constexpr ScanTuning difference_tuning(const Pass& steps) {
  const std::uint32_t rows = stream_rows(steps.word, steps.order, steps.tuple == 1);
  if (steps.layout != Layout::interleaved) return {rows, steps.word <= 2 ? 8u : 4u, 2};
  if (steps.word == 1 && steps.tuple != 1) return {rows, 8, 2};
  const bool few = steps.word == 8 || (steps.word == 1 && steps.order > 2);
  return {rows, few ? 6u : 8u, 3};
}
/// The oldest architecture whose GPUs have shared memory for large tiles, or for planes of long segments:
/// older ones get such kernels without a body.
constexpr unsigned oldest_for_large_tiles(unsigned word) {
  return word == 2 ? 800 : 900;
}
inline constexpr unsigned kOldestForLongPlanes = 900;

/// Large tiles of wider words and their buffers fit no device: their kernels know no layouts.
constexpr bool large_tiles_take_layouts(unsigned word) {
  return word == 2;
}
constexpr ScanTuning look_back_tuning(const Pass& steps, bool large_tiles) {
  const bool in_place = simplest(steps).layout == Layout::interleaved;
  const bool uneven = large_tiles && (in_place || large_tiles_take_layouts(steps.word)) && is_uneven(steps);
  return {look_back_rows(steps.word, steps.order, uneven),
          uneven && steps.word == 2 ? 15u : look_back_compute_warps(steps), 3};
}

/// From this number of chunks on, a stream for each chunk is faster than a look-back (docs/notes/gpu-scan.md,
/// smaller batches). Where a tile has many sums to look back for, that is as soon as most multiprocessors
/// have a chunk. Matrix products need chunks for most places of their two blocks on each multiprocessor
/// (H200), or three of their four small blocks.
constexpr std::uint32_t stream_from_chunks(const Pass& steps, std::uint32_t multiprocessors) {
  constexpr std::uint32_t kManySums = 8;
  if (steps.word == 2 || has_few_products(steps)) return multiprocessors * 3 / 2;
  if (uses_matrix(steps)) return 3 * multiprocessors;
  const bool many = steps.word >= 4 && steps.order * steps.tuple >= kManySums;
  return many ? multiprocessors * 3 / 4 : 2 * multiprocessors;
}

}  // namespace tdz::cuda
