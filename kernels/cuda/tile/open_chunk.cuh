// SPDX-License-Identifier: Apache-2.0
// A chunk as a block works on it, and what one tile of it passes to the next.
#pragma once

#include <cuda_runtime.h>

#include "kernels/cuda/tile/scan_job.hpp"
#include "kernels/cuda/tile/tile_plan.hpp"

namespace tdz::cuda {

/// A block makes it once for each chunk, because a piece map divides.
struct OpenChunk {
  ChunkTask task;
  PieceMap residuals;  ///< in their layout
  PieceMap values;     ///< as they are

  __device__ OpenChunk(const Pass& steps, const ChunkTask& chunk)
      : task(chunk),
        residuals(steps, steps.layout, chunk.bytes / steps.word),
        values(steps, Layout::interleaved, chunk.bytes / steps.word) {}
};

/// Whether a GPU that runs this code can be asked to run a kernel that needs the shared memory of
/// architecture `Oldest`. Machine code runs only on its own generation. But PTX of an old architecture runs
/// on all newer GPUs, so a build that contains such PTX leaves nothing out.
template <unsigned Oldest>
__device__ constexpr bool can_run() {
#if defined(TDZ_OLD_CODE_IS_REAL) && defined(__CUDA_ARCH__)
  return __CUDA_ARCH__ >= Oldest;
#else
  return true;
#endif
}

/// Copies the bytes after the last whole word as they are.
template <class Word>
__device__ void copy_trailing(const ChunkTask& chunk) {
  const std::uint64_t at = chunk.bytes - chunk.bytes % sizeof(Word) + threadIdx.x;
  if (at < chunk.bytes) chunk.out[at] = chunk.in[at];
}

/// What one tile passes to the next while a block walks a chunk: for every lane a carry (integrate) or a
/// history (difference). The carries of all lanes are there twice: a tile reads its own copy while it writes
/// the next tile's.
template <class Word, unsigned Order>
struct CarryPair {
  using Total = Sum<Word>;
  Total* first;
  std::uint32_t tuple;

  __device__ Total& term(unsigned iteration, unsigned k, unsigned lane) const {
    return first[((iteration % 2) * Order + k) * tuple + lane];
  }
  __device__ void clear() const {
    for (unsigned i = threadIdx.x; i < Order * tuple; i += blockDim.x) first[i] = 0;
  }
  __device__ void add_to(Polynomial<Total, Order>& sum, unsigned iteration, unsigned lane) const {
    for (unsigned k = 0; k < Order; ++k) sum.term[k] += term(iteration, k, lane);
  }
  __device__ Polynomial<Total, Order> get(unsigned iteration, unsigned lane) const {
    Polynomial<Total, Order> state;
    add_to(state, iteration, lane);
    return state;
  }
  __device__ void put(unsigned iteration, unsigned lane, const Polynomial<Total, Order>& carry) const {
    for (unsigned k = 0; k < Order; ++k) term(iteration, k, lane) = carry.term[k];
  }
};

}  // namespace tdz::cuda
