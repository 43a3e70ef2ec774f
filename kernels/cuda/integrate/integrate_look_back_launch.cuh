// SPDX-License-Identifier: Apache-2.0
// The launcher of the look-back kernel; one translation unit a word instantiates it.
#pragma once

#include "kernels/cuda/host/launch.hpp"
#include "kernels/cuda/host/launch_shared.cuh"
#include "kernels/cuda/integrate/integrate_look_back.cuh"
#include "kernels/cuda/integrate/integrate_tile.cuh"
#include "kernels/cuda/integrate/look_back_space.hpp"
#include "kernels/cuda/tile/byte_tile.cuh"

namespace tdz::cuda {

template <class Tiles>
cudaError_t launch_chain_tiles(const ScanSteps& steps, const ChunkBatch& batch, const ScanTuning& tuning,
                               const DeviceShape& device, void* space, cudaStream_t stream) {
  const auto kernel = integrate_look_back<Tiles>;
  const TilePlan plan = fitted_plan(steps, tuning, Direction::integrate_by_look_back, device);
  if (plan.stages == 0) return cudaErrorInvalidConfiguration;
  const SpaceLayout layout = look_back_space(plan, batch);
  const cudaError_t cleared = cudaMemsetAsync(space, 0, layout.bytes, stream);
  if (cleared != cudaSuccess) return cleared;
  const unsigned lookers = chain_lookers(steps, plan.shape.warps()), movers = 1;
  const unsigned threads = plan.shape.threads() + (lookers + movers) * kWarp;
  unsigned resident = 0;
  const cudaError_t counted = count_resident(kernel, threads, plan.shared_bytes(), resident);
  if (counted != cudaSuccess) return counted;
  auto* bytes = static_cast<std::byte*>(space);
  const ChainSpace chain = {reinterpret_cast<std::uint32_t*>(bytes),
                            {reinterpret_cast<uint4*>(bytes + layout.cells_at), layout.posts},
                            layout.tiles_per_chunk};
  return launch_shared(kernel, smaller(layout.posts, resident), threads, plan.shared_bytes(), stream, plan,
                       batch, chain);
}

template <class Word>
cudaError_t launch_integrate_look_back(const ScanSteps& steps, const ChunkBatch& batch,
                                       const ScanTuning& tuning, const DeviceShape& device, void* space,
                                       cudaStream_t stream) {
  return with_order(steps.order, [&]<unsigned Order>() {
    const auto launch = [&]<class Tiles>(std::uint32_t rows) {
      return launch_chain_tiles<Tiles>(steps, batch, {rows, tuning.warps, tuning.stages}, device, space,
                                       stream);
    };
    if constexpr (sizeof(Word) == 1) {
      if (uses_matrix(steps)) return launch.template operator()<ByteTiles<Order, 3>>(0);
    }
    if constexpr (sizeof(Word) != 1) {
      constexpr unsigned kSeven = chain_rows(sizeof(Word), Order, true);
      if (tuning.rows == kSeven)
        return launch.template operator()<TileIntegrator<Word, Order, kSeven, 3>>(kSeven);
    }
    constexpr unsigned kRows = chain_rows(sizeof(Word), Order, false);
    return launch.template operator()<TileIntegrator<Word, Order, kRows, 3>>(kRows);
  });
}

}  // namespace tdz::cuda
