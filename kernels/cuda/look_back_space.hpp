// SPDX-License-Identifier: Apache-2.0
// The memory that the blocks of a look-back share: O(tiles), whatever the length of a tile.
#pragma once

#include <cstddef>

#include "kernels/cuda/tile_plan.hpp"

namespace tdz::cuda {

struct SpaceLayout {
  std::uint32_t tiles_per_chunk = 0;
  std::uint32_t posts = 0;       ///< tiles of the launch, as if all chunks were the longest
  std::size_t entries_at = 128;  ///< after the counter, which has a cache line of its own
  std::size_t bytes = 0;
};

constexpr SpaceLayout look_back_space(const TilePlan& plan, const ChunkBatch& batch) {
  SpaceLayout layout;
  layout.tiles_per_chunk = tiles_of(batch.chunk_bytes / plan.steps.word, plan.shape);
  if (layout.tiles_per_chunk == 0)
    layout.tiles_per_chunk = 1;  // a chunk of less than a word has its trailing bytes
  layout.posts = layout.tiles_per_chunk * batch.chunks;
  const std::size_t entries_per_post = std::size_t{plan.carry_bytes()} / 4;
  layout.bytes = layout.entries_at + layout.posts * entries_per_post * 8;
  return layout;
}

}  // namespace tdz::cuda
