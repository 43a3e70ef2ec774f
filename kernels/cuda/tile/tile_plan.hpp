// SPDX-License-Identifier: Apache-2.0
// The arithmetic of a launch: from steps and tuning to the shape of a tile and the parts of a block's shared
// memory. And the tuning itself.
#pragma once

#include <cstdint>

#include "kernels/cuda/tile/tile_shape.hpp"

namespace tdz::cuda {

// ---- The tuning: numbers that only a measurement can choose, as values. `rows` is compiled into the
// kernels, the others are not. Measured on an H100 80GB HBM3, or on an H200 where that is said, November 2026
// (docs/notes/gpu-scan.md).

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

// ---- The plan of a tile

inline constexpr std::uint32_t kMaxStages = 8;
inline constexpr std::uint32_t kOperandBytes =
    5 * 2 * kWarp * 4;                                        ///< constants for 5 slices, 2 words a thread
inline constexpr std::uint32_t kPastStride = kPastBytes + 8;  ///< not a multiple of all banks

/// Everything a tile kernel must know besides its batch. Shared memory, from its start: arrival barriers (8
/// bytes for each stage), stages as they are loaded, buffers as they are stored, totals of the warps (twice;
/// three times for a look-back, which scans a tile before it has finished the one before), carries (or
/// histories); for bytes by matrix products also constant operands, pasts of the segments, sums before each
/// warp. Where both sides have the same layout there are no buffers: a stage is worked on in place and stored
/// from there.
struct TilePlan {
  Pass steps;
  TileShape shape;
  std::uint32_t stages = 2, buffers = 2;
  bool by_look_back = false;  ///< one more tile is in work
  bool matrix = false;        ///< bytes, by matrix products
  std::uint32_t pieces_in = 1, piece_stride_in = 0;
  std::uint32_t pieces_out = 1, piece_stride_out = 0;
  std::uint32_t stage_bytes = 0;  ///< of all pieces, and room after them; kernels that compute it spill

  TDZ_HOST_DEVICE constexpr bool in_place() const { return buffers == 0; }
  /// Tiles that may be loading while one is worked on; in place, one more is still being stored.
  TDZ_HOST_DEVICE constexpr std::uint32_t ahead() const {
    return in_place() || by_look_back ? stages - 1 : stages;
  }
  TDZ_HOST_DEVICE constexpr std::uint32_t buffer_bytes() const { return pieces_out * piece_stride_out; }
  TDZ_HOST_DEVICE constexpr std::uint32_t stages_at() const { return 128; }
  TDZ_HOST_DEVICE constexpr std::uint32_t buffers_at() const { return stages_at() + stages * stage_bytes; }
  TDZ_HOST_DEVICE constexpr std::uint32_t totals_at() const {
    return buffers_at() + buffers * buffer_bytes();
  }
  /// q sums for every lane.
  TDZ_HOST_DEVICE constexpr std::uint32_t carry_bytes() const {
    return steps.order * steps.tuple * sum_bytes(steps.word);
  }
  TDZ_HOST_DEVICE constexpr std::uint32_t totals() const { return by_look_back ? 3 : 2; }
  TDZ_HOST_DEVICE constexpr std::uint32_t totals_bytes() const { return shape.strands * carry_bytes(); }
  TDZ_HOST_DEVICE constexpr std::uint32_t carries_at() const {
    return totals_at() + totals() * totals_bytes();
  }
  TDZ_HOST_DEVICE constexpr std::uint32_t matrix_at() const {
    return (carries_at() + (by_look_back ? 3 : 2) * carry_bytes() + kGranule - 1) / kGranule * kGranule;
  }
  /// Constant operands; pasts of all segments, of two tiles in a look-back; sums before each warp.
  TDZ_HOST_DEVICE constexpr std::uint32_t pasts_at() const { return matrix_at() + kOperandBytes; }
  TDZ_HOST_DEVICE constexpr std::uint32_t pasts_bytes() const { return shape.segments() * kPastStride; }
  TDZ_HOST_DEVICE constexpr std::uint32_t befores_at() const {
    return pasts_at() + (by_look_back ? 2 : 1) * pasts_bytes();
  }
  TDZ_HOST_DEVICE constexpr std::uint32_t shared_bytes() const {
    return matrix ? befores_at() + shape.warps() * kPastBytes : matrix_at();
  }
};

/// What a kernel does; a look-back has one more tile in work than a stream.
enum class Direction : std::uint8_t { difference, integrate, integrate_by_look_back };

/// Tiles of values besides the stages. A stream keeps dense planes in registers, so the values take their
/// stage.
constexpr std::uint32_t buffer_count(const Pass& steps, Direction direction) {
  if (steps.layout == Layout::interleaved) return 0;
  if (direction == Direction::integrate_by_look_back) return 3;
  return direction == Direction::integrate && in_dense_planes(steps) ? 0 : 2;
}

/// Room after a stage's last piece. Reading four rows at once may reach beyond it: by a few bytes, or by
/// three rows where rows lie a tuple apart. A load may be filling the next stage at that time.
constexpr std::uint32_t beyond_bytes(const Pass& steps, std::uint32_t pieces) {
  if (pieces == 1) return 0;
  const std::uint32_t rows = steps.layout == Layout::planes ? 3 * steps.tuple : 0;
  return (rows / kGranule + 1) * kGranule;
}

/// The plan of steps whose tuple is narrow. The layout's pieces are what an integrate reads and a difference
/// writes.
constexpr TilePlan tile_plan(const Pass& asked, const ScanTuning& tuning, Direction direction) {
  TilePlan plan;
  const Pass steps = simplest(asked);
  plan.steps = steps;
  plan.matrix = direction != Direction::difference && uses_matrix(steps);
  plan.shape = plan.matrix ? matrix_shape(steps.tuple, tuning.warps)
                           : tile_shape(steps.tuple, tuning.rows, tuning.warps);
  plan.stages = tuning.stages;
  const std::uint32_t values = plan.shape.tile_words() * steps.word;
  const std::uint32_t pieces = piece_count(steps), stride = piece_stride(steps, plan.shape);
  const bool reads = direction != Direction::difference;
  plan.by_look_back = direction == Direction::integrate_by_look_back;
  plan.buffers = buffer_count(steps, direction);
  plan.pieces_in = reads ? pieces : 1;
  plan.piece_stride_in = reads ? stride : values;
  plan.pieces_out = reads ? 1 : pieces;
  plan.piece_stride_out = reads ? values : stride;
  plan.stage_bytes = plan.pieces_in * plan.piece_stride_in + beyond_bytes(steps, plan.pieces_in);
  return plan;
}

/// Tiles in work, loading and being stored: with fewer stages a block would wait for itself.
constexpr std::uint32_t fewest_stages(const Pass& steps, Direction direction) {
  const bool in_place = simplest(steps).layout == Layout::interleaved;
  return in_place && direction == Direction::integrate_by_look_back ? 3 : 2;
}

/// What a look-back keeps besides its plan: a ring of claimed tiles, loading or in work, with the weights of
/// each; and the weights of moves over 2^i tiles.
inline constexpr unsigned kClaims = 2 * kMaxStages;
inline constexpr unsigned kTilePowers = 32;

/// What a device offers a launch.
struct DeviceShape {
  std::uint32_t multiprocessors = 0;
  std::uint32_t shared_bytes = 0;  ///< that a block may have, if it asks
  /// Of them: what kernels declare statically, and one kilobyte of the driver.
  static constexpr std::uint32_t reserved = 1536;
};

/// What a kernel of this plan needs in all, the weights of a look-back included.
constexpr std::uint32_t needed_bytes(const TilePlan& plan, const DeviceShape& device) {
  const std::uint32_t weights =
      plan.by_look_back ? 2 * (kClaims + kTilePowers) * plan.steps.order * sum_bytes(plan.steps.word) : 0;
  return plan.shared_bytes() + device.reserved + weights;
}

/// The plan must fit shared memory, and the compute warps must leave room for look-back warps.
constexpr bool fits(const TilePlan& plan, const DeviceShape& device) {
  const bool has_look_back_warps = !plan.by_look_back || look_back_warps(plan.steps, plan.shape.warps()) != 0;
  return has_look_back_warps && needed_bytes(plan, device) <= device.shared_bytes;
}

/// The plan that fits and is nearest to the tuning: fewer warps first, then fewer stages. `stages` is 0 if
/// none fits.
constexpr TilePlan fitted_plan(const Pass& steps, ScanTuning tuning, Direction direction,
                               const DeviceShape& device) {
  const std::uint32_t most_warps = tuning.warps;
  for (; tuning.stages >= fewest_stages(steps, direction); --tuning.stages) {
    for (tuning.warps = most_warps; tuning.warps > 0; --tuning.warps) {
      const TilePlan plan = tile_plan(steps, tuning, direction);
      if (fits(plan, device)) return plan;
    }
  }
  TilePlan none = tile_plan(steps, tuning, direction);
  none.stages = 0;
  return none;
}

/// The tuning of a stream on this device. Long segments pay as long as two blocks share a multiprocessor.
constexpr ScanTuning stream_tuning(const Pass& steps, const DeviceShape& device) {
  const ScanTuning roomy = stream_tuning(steps, true);
  const TilePlan plan = tile_plan(steps, roomy, Direction::integrate);
  return 2 * needed_bytes(plan, device) <= device.shared_bytes ? roomy : stream_tuning(steps, false);
}

/// The tuning of a look-back on this device. Uneven groups of lanes take smaller tiles where the large ones
/// do not fit, for example with layouts, whose tiles are not worked on in place.
constexpr ScanTuning look_back_tuning(const Pass& steps, const DeviceShape& device) {
  const ScanTuning large = look_back_tuning(steps, true);
  const bool holds = fitted_plan(steps, large, Direction::integrate_by_look_back, device).stages != 0;
  return holds ? large : look_back_tuning(steps, false);
}

}  // namespace tdz::cuda
