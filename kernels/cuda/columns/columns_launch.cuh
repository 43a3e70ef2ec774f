// SPDX-License-Identifier: Apache-2.0
// The launcher of the column kernels; one source file for each word instantiates it.
#pragma once

#include "kernels/cuda/columns/columns.cuh"
#include "kernels/cuda/launch/launch.hpp"

namespace tdz::cuda {

template <class Word, unsigned Order, unsigned Pack, Direction Way>
cudaError_t launch_packs(const Pass& steps, const ChunkBatch& batch, cudaStream_t stream) {
  constexpr std::uint32_t kMostAtOnce = 65535;  // of a grid's second dimension
  const std::uint32_t blocks = (steps.tuple / Pack + kColumnThreads - 1) / kColumnThreads;
  for (std::uint32_t first = 0; first < batch.chunks; first += kMostAtOnce) {
    const std::uint32_t chunks = smaller(batch.chunks - first, kMostAtOnce);
    walk_columns<Word, Order, Pack, Way>
        <<<dim3(blocks, chunks), kColumnThreads, 0, stream>>>(steps, batch.from(first, chunks));
  }
  return cudaGetLastError();
}

template <class Word>
cudaError_t launch_columns(const Pass& steps, const ChunkBatch& batch, Direction direction,
                           cudaStream_t stream) {
  constexpr unsigned kPack = 8 / sizeof(Word);
  const bool packed = steps.tuple % kPack == 0;
  return with_order(steps.order, [&]<unsigned Order>() {
    if (direction == Direction::difference) {
      return packed ? launch_packs<Word, Order, kPack, Direction::difference>(steps, batch, stream)
                    : launch_packs<Word, Order, 1, Direction::difference>(steps, batch, stream);
    }
    return packed ? launch_packs<Word, Order, kPack, Direction::integrate>(steps, batch, stream)
                  : launch_packs<Word, Order, 1, Direction::integrate>(steps, batch, stream);
  });
}

}  // namespace tdz::cuda
