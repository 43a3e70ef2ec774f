// SPDX-License-Identifier: Apache-2.0
// The arithmetic of a launch: from steps and tuning to the shape of a tile and the parts of a block's shared
// memory.
#pragma once

#include "kernels/cuda/tile/tile_shape.hpp"
#include "kernels/cuda/tile/tuning.hpp"

namespace tdz::cuda {

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
