// SPDX-License-Identifier: Apache-2.0
// Steps that look at one word alone, for a column of many chunks, in device memory; and moving a column into
// or out of rows.
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/steps/step_batch.hpp"
#include "kernels/cuda/steps/word_maps.hpp"

namespace tdz::cuda {

cudaError_t launch_map_words(const StepBatch& batch, WordMap map, cudaStream_t stream);

}  // namespace tdz::cuda
