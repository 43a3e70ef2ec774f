// SPDX-License-Identifier: Apache-2.0
// Undoes the step `predict` for a column of many chunks, in device memory. FORMAT.md, section 3.
#pragma once

#include <cuda_runtime_api.h>

#include "formats/plan/step_values.hpp"
#include "kernels/cuda/steps/step_batch.hpp"

namespace tdz::cuda {

/// The substream of a chunk, as the format has it: nothing in it has been checked.
struct PredictorBytes {
  const std::byte* at = nullptr;
  std::uint32_t bytes = 0;
};

/// sides[i] belongs to steps.chunks[i].
struct PredictBatch {
  StepBatch steps;
  std::uint32_t tuple = 1;
  Sign sign = Sign::is_unsigned;
  const PredictorBytes* sides = nullptr;
};

/// Pure.
std::size_t undo_predict_scratch_bytes(std::uint32_t chunks, std::uint32_t most_words, std::uint32_t tuple);

/// Residuals become words. A thread walks a block of 4096 words. `scratch` is aligned to 4.
cudaError_t launch_undo_predict(const PredictBatch& batch, void* scratch, cudaStream_t stream);

}  // namespace tdz::cuda
