// SPDX-License-Identifier: Apache-2.0
// A chunk as a block works on it.
#pragma once

#include <cuda_runtime.h>

#include "kernels/cuda/tile/tile_plan.hpp"

namespace tdz::cuda {

/// A block makes it once for each chunk, because a piece map divides.
struct OpenChunk {
  ChunkTask task;
  PieceMap residuals;  ///< in their layout
  PieceMap values;     ///< as they are

  __device__ OpenChunk(const ScanSteps& steps, const ChunkTask& chunk)
      : task(chunk),
        residuals(steps, steps.layout, chunk.bytes / steps.word),
        values(steps, Layout::interleaved, chunk.bytes / steps.word) {}
};

/// Copies the bytes after the last whole word as they are.
template <class Word>
__device__ void copy_trailing(const ChunkTask& chunk) {
  const std::uint64_t at = chunk.bytes - chunk.bytes % sizeof(Word) + threadIdx.x;
  if (at < chunk.bytes) chunk.out[at] = chunk.in[at];
}

}  // namespace tdz::cuda
