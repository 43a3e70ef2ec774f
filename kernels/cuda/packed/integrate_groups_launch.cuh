// SPDX-License-Identifier: Apache-2.0
// The launcher of the kernels that go from groups to values; one source file for each word instantiates it.
#pragma once

#include "formats/steps/packed.hpp"
#include "kernels/cuda/launch/launch.hpp"
#include "kernels/cuda/launch/launch_kernel.cuh"
#include "kernels/cuda/packed/integrate_groups.cuh"

namespace tdz::cuda {

static_assert(kWordsOfGroup == kGroupWords && kGroupsAPlace == kGroupsOfPlace &&
              kMostWidths == kMostGroupWidths);

template <class Word, unsigned Order, bool OneLane, GroupTask Task, class Space>
cudaError_t launch_walk(const GroupBatch& batch, const Space& space, cudaStream_t stream) {
  const std::uint64_t stretches = std::uint64_t{batch.count} * space.count;
  const auto blocks = static_cast<unsigned>((stretches + kGroupWarps - 1) / kGroupWarps);
  const unsigned memory = kGroupWarps * GroupPiece{sizeof(Word), batch.steps.tuple}.memory_bytes();
  return launch_kernel(walk_groups<Word, Order, OneLane, Task>, dim3(blocks), kGroupWarps * kWarp, memory,
                       stream, batch, space);
}

template <class Word, unsigned Order, bool OneLane>
cudaError_t launch_groups(const GroupBatch& batch, void* memory, cudaStream_t stream) {
  using Total = Sum<Word>;
  constexpr unsigned kOrder = Order > 0 ? Order : 1;
  const GroupSpaceLayout layout(sizeof(Word), batch);
  if (std::uint64_t{layout.stretches} * batch.count > kMostChunks) return cudaErrorInvalidValue;
  Stretches<Total, kOrder> space{layout.stretches, layout.groups};
  if constexpr (Order > 0) {
    if (layout.has_carries) {
      space.carries = static_cast<Polynomial<Total, kOrder>*>(memory);
      cudaError_t done = launch_walk<Word, Order, OneLane, GroupTask::sum>(batch, space, stream);
      if (done == cudaSuccess)
        done = launch_kernel(join_stretches<Total, kOrder>, dim3(batch.count * batch.steps.tuple), kWarp, 0,
                             stream, space, batch.steps.tuple);
      if (done != cudaSuccess) return done;
    }
  }
  return launch_walk<Word, Order, OneLane, GroupTask::write>(batch, space, stream);
}

template <class Word>
cudaError_t launch_integrate_groups(const GroupBatch& batch, void* space, cudaStream_t stream) {
  if (batch.steps.tuple == 0 || batch.steps.tuple > kMostGroupTuple) return cudaErrorInvalidValue;
  if (batch.count == 0 || batch.groups == 0) return cudaSuccess;
  const bool one = batch.steps.tuple == 1;
  const auto launch = [&]<unsigned Order>() {
    return one ? launch_groups<Word, Order, true>(batch, space, stream)
               : launch_groups<Word, Order, false>(batch, space, stream);
  };
  return batch.steps.order == 0 ? launch.template operator()<0>() : with_order(batch.steps.order, launch);
}

}  // namespace tdz::cuda
