// SPDX-License-Identifier: Apache-2.0
// The launcher of the streaming kernel; one source file for each word instantiates it.
#pragma once

#include "kernels/cuda/integrate/byte_tile.cuh"
#include "kernels/cuda/integrate/integrate_stream.cuh"
#include "kernels/cuda/integrate/integrate_tile.cuh"
#include "kernels/cuda/integrate/plane_tile.cuh"
#include "kernels/cuda/launch/launch.hpp"
#include "kernels/cuda/launch/launch_kernel.cuh"

namespace tdz::cuda {

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
