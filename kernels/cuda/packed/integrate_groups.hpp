// SPDX-License-Identifier: Apache-2.0
// From packed groups to values (FORMAT.md, section 3, `packed`), with zigzag and a difference undone on the
// way. It allocates nothing and waits for nothing. Needs no nvcc.
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/cuda/packed/packed_chunk.hpp"

namespace tdz::cuda {

/// Undoes packed groups, zigzag and difference of all chunks, and verifies everything that the format demands
/// of the four substreams. The headers of their frames were verified before, on the same stream (ByteCheck).
/// A chunk whose status is not 0 afterwards has values that mean nothing. `space`: GroupSpaceLayout::bytes of
/// device memory, aligned to 16. Preconditions: words of 1, 2, 4 or 8 bytes, a tuple of at most
/// kMostGroupTuple, that of every chunk, and an order of at most 8.
template <class Word>
cudaError_t launch_integrate_groups(const GroupBatch& batch, void* space, cudaStream_t stream);

}  // namespace tdz::cuda
