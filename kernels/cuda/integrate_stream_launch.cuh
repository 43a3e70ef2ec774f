// SPDX-License-Identifier: Apache-2.0
// The launcher of the streaming kernel; one translation unit a word instantiates it.
#pragma once

#include "kernels/cuda/integrate_stream.cuh"
#include "kernels/cuda/launch.hpp"
#include "kernels/cuda/launch_shared.cuh"

namespace tdz::cuda {

template <class Word, unsigned Order, unsigned Rows>
cudaError_t launch_integrate_rows(const ScanSteps& steps, const ChunkBatch& batch, const ScanTuning& tuning,
                                  const DeviceShape& device, cudaStream_t stream) {
  const TilePlan plan = fitted_plan(steps, {Rows, tuning.warps, tuning.stages}, Direction::integrate, device);
  if (plan.stages == 0) return cudaErrorInvalidConfiguration;
  return launch_shared(integrate_stream<Word, Order, Rows>, batch.chunks, plan.shape.threads(),
                       plan.shared_bytes(), stream, plan, batch);
}

template <class Word>
cudaError_t launch_integrate_stream(const ScanSteps& steps, const ChunkBatch& batch, const ScanTuning& tuning,
                                    const DeviceShape& device, cudaStream_t stream) {
  return with_order(steps.order, [&]<unsigned Order>() {
    constexpr unsigned kSingle = stream_rows(sizeof(Word), Order, true);
    constexpr unsigned kSeveral = stream_rows(sizeof(Word), Order, false);
    return steps.tuple == 1
               ? launch_integrate_rows<Word, Order, kSingle>(steps, batch, tuning, device, stream)
               : launch_integrate_rows<Word, Order, kSeveral>(steps, batch, tuning, device, stream);
  });
}

}  // namespace tdz::cuda
