// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/packed/plain_chunk.hpp"

namespace tdz::cuda {

/// Copies the chunks to the values. No scratch.
cudaError_t launch_copy_plain(const PlainBatch& batch, cudaStream_t stream);

}  // namespace tdz::cuda
