// SPDX-License-Identifier: Apache-2.0
// The memory that the blocks of a look-back share. It grows with the number of tiles, not with their length.
#pragma once

#include <cstddef>

#include "kernels/cuda/tile/tile_plan.hpp"

namespace tdz::cuda {

/// A tile descriptor is read and written in one 16-byte transaction: a status, and twelve bytes of a carry.
inline constexpr unsigned kDescriptorBytes = 16, kPayloadWords = 3;
/// 32-bit words that `order` sums fill: mod 2^8 four sums share one, a 64-bit sum takes two.
TDZ_HOST_DEVICE constexpr unsigned payload_words(unsigned word, unsigned order) {
  return (word * order + 3) / 4;
}
/// Descriptors of one tile and one lane.
TDZ_HOST_DEVICE constexpr unsigned carry_descriptors(unsigned word, unsigned order) {
  return (payload_words(word, order) + kPayloadWords - 1) / kPayloadWords;
}

struct SpaceLayout {
  std::uint32_t tiles_per_chunk = 0;
  std::uint32_t tiles = 0;      ///< of the launch, as if all chunks were as long as the longest
  std::size_t states_at = 128;  ///< after the counter, which has a cache line of its own
  std::size_t bytes = 0;
};

constexpr SpaceLayout look_back_space(const TilePlan& plan, const ChunkBatch& batch) {
  SpaceLayout layout;
  layout.tiles_per_chunk = tiles_of(batch.chunk_bytes / plan.steps.word, plan.shape);
  if (layout.tiles_per_chunk == 0)
    layout.tiles_per_chunk = 1;  // a chunk of less than a word has its trailing bytes
  layout.tiles = layout.tiles_per_chunk * batch.chunks;
  const std::size_t descriptors_per_tile =
      std::size_t{carry_descriptors(plan.steps.word, plan.steps.order)} * plan.steps.tuple;
  layout.bytes = layout.states_at + layout.tiles * descriptors_per_tile * kDescriptorBytes;
  return layout;
}

/// What launch_integrate_look_back() needs for this pass.
constexpr std::size_t look_back_bytes(const Pass& pass, const ChunkBatch& batch, const ScanTuning& tuning,
                                      const DeviceShape& device) {
  return look_back_space(fitted_plan(pass, tuning, Direction::integrate_by_look_back, device), batch).bytes;
}

}  // namespace tdz::cuda
