// SPDX-License-Identifier: Apache-2.0
// Undoes the step `lanes`, and differences that start anew in every run, for a column of many chunks, in
// device memory. FORMAT.md, section 3.
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/steps/lane_rule.hpp"
#include "kernels/cuda/steps/step_batch.hpp"

namespace tdz::cuda {

/// `rules` has one entry for each lane of the tuple, on the device; or it is null, and `same` holds for all
/// lanes (then the tuple may have any size).
struct LanesBatch {
  StepBatch steps;
  std::uint32_t tuple = 1;
  std::uint32_t run = 0;    ///< words of a lane; 0: the whole lane is one run, which few threads walk
  std::uint8_t depths = 1;  ///< of the rules: 1 + the largest depth
  const DeviceLaneRule* rules = nullptr;
  DeviceLaneRule same;
};

/// Words as the forward step left them become the words before it. No scratch. Input and output are the same
/// memory, or do not overlap.
cudaError_t launch_undo_lanes(const LanesBatch& batch, cudaStream_t stream);

}  // namespace tdz::cuda
