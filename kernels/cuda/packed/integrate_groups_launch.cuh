// SPDX-License-Identifier: Apache-2.0
// The launcher of the kernel that goes from groups to values; one source file for each word instantiates it.
#pragma once

#include "formats/steps/packed.hpp"
#include "kernels/cuda/launch/launch.hpp"
#include "kernels/cuda/launch/launch_kernel.cuh"
#include "kernels/cuda/packed/integrate_groups.cuh"

namespace tdz::cuda {

static_assert(kWordsOfGroup == kGroupWords && kGroupsAPlace == kGroupsOfPlace &&
              kMostWidths == kMostGroupWidths);

template <class Word, unsigned Order>
cudaError_t launch_groups(const GroupBatch& batch, void* space, cudaStream_t stream) {
  using Total = Sum<Word>;
  constexpr unsigned kOrder = Order > 0 ? Order : 1;
  const GroupTile tile{sizeof(Word), batch.steps.tuple};
  const GroupSpaceLayout layout(sizeof(Word), batch);
  if (layout.tiles == 0) return cudaSuccess;
  if (layout.tiles > kMostChunks) return cudaErrorInvalidValue;
  auto* bytes = static_cast<std::byte*>(space);
  auto* weights = reinterpret_cast<TileWeights<Total, kOrder>*>(bytes + layout.weights_at);
  const GroupSpace<Total, kOrder> shared{
      reinterpret_cast<std::uint32_t*>(bytes),
      {reinterpret_cast<uint4*>(bytes + layout.states_at), static_cast<std::uint32_t>(layout.tiles)},
      weights,
      layout.tiles_per_chunk};
  cudaError_t done = cudaMemsetAsync(space, 0, layout.weights_at, stream);
  if (Order > 1 && done == cudaSuccess)
    done = launch_kernel(weigh_group_tiles<Total, kOrder>, dim3(layout.tiles_per_chunk), kWarp, 0, stream,
                         weights, tile.words() / tile.tuple, layout.tiles_per_chunk);
  constexpr unsigned kThreads = GroupIntegrator<Word, Order>::kThreads;
  const auto kernel = integrate_groups<Word, Order>;
  const unsigned bytes_of_block = GroupMemoryLayout{tile, Order, !batch.steps.same_lanes}.bytes();
  unsigned resident = 0;
  if (done == cudaSuccess) done = count_resident(kernel, kThreads, bytes_of_block, resident);
  if (done != cudaSuccess) return done;
  const std::uint64_t blocks = smaller(layout.tiles, std::uint64_t{resident});
  return launch_kernel(kernel, dim3(static_cast<unsigned>(blocks)), kThreads, bytes_of_block, stream, batch,
                       shared);
}

template <class Word>
cudaError_t launch_integrate_groups(const GroupBatch& batch, void* space, cudaStream_t stream) {
  if (batch.steps.tuple == 0 || batch.steps.tuple > kMostGroupTuple) return cudaErrorInvalidValue;
  if (batch.count == 0 || batch.groups == 0) return cudaSuccess;
  if (batch.steps.order == 0) return launch_groups<Word, 0>(batch, space, stream);
  return with_order(batch.steps.order,
                    [&]<unsigned Order>() { return launch_groups<Word, Order>(batch, space, stream); });
}

}  // namespace tdz::cuda
