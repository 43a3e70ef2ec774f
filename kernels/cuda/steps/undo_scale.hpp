// SPDX-License-Identifier: Apache-2.0
// Undoes the step `scale` for a column of many chunks, in device memory. FORMAT.md, section 3.
#pragma once

#include <cuda_runtime_api.h>

#include "formats/scale/scale.hpp"
#include "kernels/cuda/steps/step_batch.hpp"

namespace tdz::cuda {

struct DeviceBytes {
  const std::byte* at = nullptr;
  std::uint32_t bytes = 0;
};

/// The four substreams of a chunk, as the format has them: nothing in them has been checked.
struct ScaleSubstreams {
  DeviceBytes pairs, selectors, bitmap, hole_words;
};

/// sides[i] belongs to steps.chunks[i].
struct ScaleBatch {
  StepBatch steps;
  ScaleShape shape;  ///< its word is steps.width
  const ScaleSubstreams* sides = nullptr;
};

/// Pure. `holes`: some chunk of the batch has a bitmap.
std::size_t undo_scale_scratch_bytes(std::uint32_t chunks, std::uint32_t most_words, bool holes);

/// Words of q become numbers, and holes their words. Everything that the format calls corrupt sets the
/// chunk's status. `scratch` is aligned to 4; it may be null if there are no holes.
cudaError_t launch_undo_scale(const ScaleBatch& batch, bool holes, void* scratch, cudaStream_t stream);

}  // namespace tdz::cuda
