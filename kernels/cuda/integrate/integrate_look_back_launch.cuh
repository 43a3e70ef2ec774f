// SPDX-License-Identifier: Apache-2.0
// The launcher of the look-back kernel; one source file for each word instantiates it.
#pragma once

#include "kernels/cuda/integrate/byte_tile.cuh"
#include "kernels/cuda/integrate/integrate_look_back.cuh"
#include "kernels/cuda/integrate/integrate_tile.cuh"
#include "kernels/cuda/integrate/look_back_space.hpp"
#include "kernels/cuda/launch/launch.hpp"
#include "kernels/cuda/launch/launch_kernel.cuh"

namespace tdz::cuda {

template <class Tiles, unsigned Oldest>
cudaError_t launch_look_back_tiles(const Pass& pass, const ChunkBatch& batch, const ScanTuning& tuning,
                                   const DeviceShape& device, void* space, cudaStream_t stream) {
  const auto kernel = integrate_look_back<Tiles, Oldest>;
  const TilePlan plan = fitted_plan(pass, tuning, Direction::integrate_by_look_back, device);
  if (plan.stages == 0) return cudaErrorInvalidConfiguration;
  const SpaceLayout layout = look_back_space(plan, batch);
  const cudaError_t cleared = cudaMemsetAsync(space, 0, layout.bytes, stream);
  if (cleared != cudaSuccess) return cleared;
  constexpr unsigned kProducerWarps = 1;
  const unsigned other_warps = look_back_warps(pass, plan.shape.warps()) + kProducerWarps;
  const unsigned threads = plan.shape.threads() + other_warps * kWarp;
  unsigned resident = 0;
  const cudaError_t counted = count_resident(kernel, threads, plan.shared_bytes(), resident);
  if (counted != cudaSuccess) return counted;
  auto* bytes = static_cast<std::byte*>(space);
  const LookBackSpace shared = {reinterpret_cast<std::uint32_t*>(bytes),
                                {reinterpret_cast<uint4*>(bytes + layout.states_at), layout.tiles},
                                layout.tiles_per_chunk};
  return launch_shared(kernel, smaller(layout.tiles, resident), threads, plan.shared_bytes(), stream, plan,
                       batch, shared);
}

template <class Word>
cudaError_t launch_integrate_look_back(const Pass& pass, const ChunkBatch& batch, const ScanTuning& tuning,
                                       const DeviceShape& device, void* space, cudaStream_t stream) {
  return with_order(pass.order, [&]<unsigned Order>() {
    const auto launch = [&]<class Tiles, unsigned Oldest = 0>(std::uint32_t rows) {
      return launch_look_back_tiles<Tiles, Oldest>(pass, batch, {rows, tuning.warps, tuning.stages}, device,
                                                   space, stream);
    };
    if constexpr (sizeof(Word) == 1) {
      if (uses_matrix(pass)) return launch.template operator()<ByteTiles<Order, 3>>(0);
    }
    if constexpr (sizeof(Word) != 1) {
      constexpr unsigned kUneven = look_back_rows(sizeof(Word), Order, true);
      constexpr unsigned kOldest = oldest_for_large_tiles(sizeof(Word));
      constexpr TileKind kKind = large_tiles_take_layouts(sizeof(Word)) ? TileKind::several_lanes
                                                                        : TileKind::several_interleaved_lanes;
      if constexpr (kUneven != look_back_rows(sizeof(Word), Order, false)) {
        if (tuning.rows == kUneven)
          return launch.template operator()<TileIntegrator<Word, Order, kUneven, 3, kKind>, kOldest>(kUneven);
      }
    }
    constexpr unsigned kRows = look_back_rows(sizeof(Word), Order, false);
    return launch.template operator()<TileIntegrator<Word, Order, kRows, 3>>(kRows);
  });
}

}  // namespace tdz::cuda
