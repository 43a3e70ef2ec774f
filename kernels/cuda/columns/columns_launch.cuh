// SPDX-License-Identifier: Apache-2.0
// The launcher of the column kernels; one source file for each word instantiates it.
#pragma once

#include "kernels/cuda/columns/columns.cuh"
#include "kernels/cuda/launch/launch.hpp"
#include "kernels/cuda/launch/launch_kernel.cuh"

namespace tdz::cuda {

/// Columns of packs that have work. The pack after a chunk's last whole one counts too: its column takes the
/// words that are left.
template <class Word, unsigned Pack>
std::uint32_t columns_with_work(const Pass& pass, const ChunkBatch& batch) {
  const std::uint64_t packs = batch.chunk_bytes / (Pack * sizeof(Word)) + 1;
  return static_cast<std::uint32_t>(smaller<std::uint64_t>(pass.tuple / Pack, packs));
}

template <class Word, unsigned Order, unsigned Pack, Direction Way>
cudaError_t launch_packs(const Pass& pass, const ChunkBatch& batch, cudaStream_t stream) {
  constexpr std::uint32_t kMostAtOnce = 65535;  // of a grid's second dimension
  const std::uint32_t columns = columns_with_work<Word, Pack>(pass, batch);
  const std::uint32_t blocks = columns / kColumnThreads + (columns % kColumnThreads != 0 ? 1 : 0);
  for (std::uint32_t first = 0; first < batch.chunks; first += kMostAtOnce) {
    const std::uint32_t chunks = smaller(batch.chunks - first, kMostAtOnce);
    const cudaError_t launched = launch_kernel(walk_columns<Word, Order, Pack, Way>, dim3(blocks, chunks),
                                               kColumnThreads, 0, stream, pass, batch.from(first, chunks));
    if (launched != cudaSuccess) return launched;
  }
  return cudaSuccess;
}

template <class Word>
cudaError_t launch_columns(const Pass& pass, const ChunkBatch& batch, Direction direction,
                           cudaStream_t stream) {
  constexpr unsigned kPack = 8 / sizeof(Word);
  const bool packed = pass.tuple % kPack == 0;
  return with_order(pass.order, [&]<unsigned Order>() {
    if (direction == Direction::difference) {
      return packed ? launch_packs<Word, Order, kPack, Direction::difference>(pass, batch, stream)
                    : launch_packs<Word, Order, 1, Direction::difference>(pass, batch, stream);
    }
    return packed ? launch_packs<Word, Order, kPack, Direction::integrate>(pass, batch, stream)
                  : launch_packs<Word, Order, 1, Direction::integrate>(pass, batch, stream);
  });
}

}  // namespace tdz::cuda
