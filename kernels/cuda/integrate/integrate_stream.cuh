// SPDX-License-Identifier: Apache-2.0
// Integrating by streams: one block walks one chunk tile by tile, and the carry stays in shared memory. No
// block waits for another.
#pragma once

#include "kernels/cuda/integrate/byte_tile.cuh"
#include "kernels/cuda/integrate/integrate_tile.cuh"
#include "kernels/cuda/launch/launch.hpp"
#include "kernels/cuda/launch/launch_kernel.cuh"
#include "kernels/cuda/tile/open_chunk.cuh"
#include "kernels/cuda/tile/tile_copy.cuh"

namespace tdz::cuda {

/// Load, scan, carry and store for one tile after the other; loads run ahead.
template <class Tiles>
__device__ void stream_tiles(const TilePlan& plan, const ChunkBatch& batch) {
  extern __shared__ __align__(128) std::byte shared[];
  const OpenChunk chunk(plan.steps, batch[blockIdx.x]);
  using Word = typename Tiles::Word;
  using Carry = typename Tiles::Carry;
  const Tiles block(plan, shared);
  const CarryPair<Word, Tiles::kOrder> carries{reinterpret_cast<Sum<Word>*>(shared + plan.carries_at()),
                                               plan.shape.tuple};
  const std::uint32_t tile_rows = plan.shape.tile_rows(), ahead = plan.ahead();
  const std::uint32_t tiles = tiles_of(chunk.values.words, plan.shape);
  const auto row_of = [&](std::uint32_t tile) { return std::uint64_t{tile} * tile_rows; };
  const auto start_load = [&](std::uint32_t tile) {
    if (tile < tiles) block.start_load(tile, chunk, row_of(tile));
    block.close_load();
  };

  carries.clear();
  __syncthreads();  // publishes carries and constants
  copy_trailing<Word>(chunk.task);
  for (std::uint32_t tile = 0; tile < ahead; ++tile) start_load(tile);
  for (std::uint32_t tile = 0; tile < tiles; ++tile) {
    // Load and scan.
    block.finish_load(tile, chunk, row_of(tile));
    const auto held = block.scan(tile, chunk, row_of(tile));
    __syncthreads();  // publishes the warps' totals; frees dense planes for the values

    // Carry, and values from residuals.
    const auto entering = [&](unsigned k, unsigned lane) { return carries.term(tile, k, lane); };
    const auto leaving = [&](unsigned lane, const Carry& carry) { carries.put(tile + 1, lane, carry); };
    block.write_values(tile, held, entering, leaving);
    wait_for_stores();
    __syncthreads();  // publishes values and carries; frees stages

    // Store, and load the next tile into the free stage.
    block.start_store(tile, chunk, row_of(tile));
    start_load(tile + ahead);
  }
  finish_stores();
}

/// Tiles that keep rows in registers set kLeastBlocks. Without it the compiler saves registers for two blocks
/// of the largest size, and reads the rows that spill from the L2 cache.
template <class Tiles, unsigned Oldest>
__global__ void __launch_bounds__(kMaxWarps* kWarp, Tiles::kLeastBlocks)
    integrate_stream(const __grid_constant__ TilePlan plan, const __grid_constant__ ChunkBatch batch) {
  if constexpr (can_run<Oldest>()) {
    stream_tiles<Tiles>(plan, batch);
  } else {
    __trap();
  }
}

// ---- The launcher; one source file for each word instantiates it

template <class Tiles, unsigned Oldest>
cudaError_t launch_integrate_tiles(const Pass& pass, const ChunkBatch& batch, const ScanTuning& tuning,
                                   const DeviceShape& device, cudaStream_t stream) {
  const TilePlan plan = fitted_plan(pass, tuning, Direction::integrate, device);
  if (plan.stages == 0) return cudaErrorInvalidConfiguration;
  return launch_shared(integrate_stream<Tiles, Oldest>, batch.chunks, plan.shape.threads(),
                       plan.shared_bytes(), stream, plan, batch);
}

template <class Word>
cudaError_t launch_integrate_stream(const Pass& pass, const ChunkBatch& batch, const ScanTuning& tuning,
                                    const DeviceShape& device, cudaStream_t stream) {
  return with_order(pass.order, [&]<unsigned Order>() {
    const auto launch = [&]<class Tiles, unsigned Oldest = 0>(std::uint32_t rows) {
      return launch_integrate_tiles<Tiles, Oldest>(pass, batch, {rows, tuning.warps, tuning.stages}, device,
                                                   stream);
    };
    if constexpr (sizeof(Word) == 1) {
      if (uses_matrix(pass)) return launch.template operator()<ByteTiles<Order, 2>>(0);
    }
    if (in_dense_planes(pass)) {
      constexpr unsigned kLong = plane_rows(sizeof(Word), Order, true),
                         kShort = plane_rows(sizeof(Word), Order, false);
      if constexpr (kLong != kShort) {
        if (tuning.rows == kLong)
          return launch.template operator()<PlaneTiles<Word, Order, kLong, 2>, kOldestForLongPlanes>(kLong);
      }
      return launch.template operator()<PlaneTiles<Word, Order, kShort, 2>>(kShort);
    }
    constexpr unsigned kSingle = stream_rows(sizeof(Word), Order, true);
    constexpr unsigned kSeveral = stream_rows(sizeof(Word), Order, false);
    if constexpr (kSingle == kSeveral) {
      return launch.template operator()<TileIntegrator<Word, Order, kSingle, 2>>(kSingle);
    } else {
      constexpr bool kLeavesOut = leaves_out_other_kind(sizeof(Word), Order);
      using Single = TileIntegrator<Word, Order, kSingle, 2, kLeavesOut ? TileKind::one_lane : TileKind::any>;
      using Several =
          TileIntegrator<Word, Order, kSeveral, 2, kLeavesOut ? TileKind::several_lanes : TileKind::any>;
      return pass.tuple == 1 ? launch.template operator()<Single>(kSingle)
                             : launch.template operator()<Several>(kSeveral);
    }
  });
}

}  // namespace tdz::cuda
