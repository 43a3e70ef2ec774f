// SPDX-License-Identifier: Apache-2.0
// Unpacks groups of words: FORMAT.md, section 3, `packed`. It allocates nothing and waits for nothing. Needs
// no nvcc.
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/packed/packed_chunk.hpp"

namespace tdz::cuda {

/// Unpacks all chunks whose status is 0, and verifies everything that the format demands of the four
/// substreams. The headers of their frames were verified before, on the same stream (ByteCheck). A chunk
/// whose status is not 0 afterwards has words that mean nothing. `width`: bytes of a word, 1, 2, 4 or 8.
cudaError_t launch_unpack(unsigned width, const UnpackBatch& batch, cudaStream_t stream);

}  // namespace tdz::cuda
