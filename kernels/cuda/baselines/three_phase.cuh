// SPDX-License-Identifier: Apache-2.0
// The three-phase scan of Harris, "Parallel Prefix Sum (Scan) with CUDA", GPU Gems 3, ch. 39: scan every
// tile, scan the tiles' totals, add them. It reads and writes everything twice. The block scan is a
// parameter.
#pragma once

#include "kernels/cuda/baselines/row_tile.cuh"

namespace tdz::cuda::baseline {

template <class BlockScan, class Word, unsigned Tuple>
__global__ void __launch_bounds__(kThreads)
    scan_tiles(const Word* in, Word* out, std::uint64_t words, Row<Word, Tuple>* totals) {
  __shared__ Row<Word, Tuple> rows[kThreads * kRows<Word, Tuple>];
  __shared__ Row<Word, Tuple> room[BlockScan::kRoom];
  auto* words_of_tile = reinterpret_cast<Word*>(rows);
  load_tile<Word, Tuple>(in, words, blockIdx.x, words_of_tile);
  __syncthreads();  // publishes the tile
  const auto own = scan_own_rows(rows);
  const auto before = BlockScan::exclusive(own, room);
  add_to_own_rows(rows, before);
  if (threadIdx.x == kThreads - 1) totals[blockIdx.x] = before + own;
  __syncthreads();  // publishes the sums
  store_tile<Word, Tuple>(out, words, blockIdx.x, words_of_tile);
}

/// One block turns the totals into the sums before each tile.
template <class BlockScan, class Word, unsigned Tuple>
__global__ void __launch_bounds__(kThreads) scan_totals(Row<Word, Tuple>* totals, std::uint32_t tiles) {
  __shared__ Row<Word, Tuple> room[BlockScan::kRoom];
  __shared__ Row<Word, Tuple> carry;
  if (threadIdx.x == 0) carry = {};
  for (std::uint32_t first = 0; first < tiles; first += kThreads) {
    const std::uint32_t i = first + threadIdx.x;
    const Row<Word, Tuple> own = i < tiles ? totals[i] : Row<Word, Tuple>{};
    const auto before = BlockScan::exclusive(own, room);
    const auto from_start = carry + before;
    __syncthreads();  // frees carry and room
    if (i < tiles) totals[i] = from_start;
    if (threadIdx.x == kThreads - 1) carry = from_start + own;
    __syncthreads();  // publishes the carry
  }
}

template <class Word, unsigned Tuple>
__global__ void __launch_bounds__(kThreads)
    add_totals(Word* out, std::uint64_t words, const Row<Word, Tuple>* totals) {
  const std::uint64_t first = std::uint64_t{blockIdx.x} * kTileWords<Word, Tuple>;
  const Row<Word, Tuple> before = totals[blockIdx.x];
  for (unsigned i = threadIdx.x; i < kTileWords<Word, Tuple>; i += kThreads) {
    if (first + i < words) out[first + i] = static_cast<Word>(out[first + i] + before.word[i % Tuple]);
  }
}

template <class BlockScan>
cudaError_t three_phase(const Pass& steps, const ChunkTask& chunk, void* space, cudaStream_t stream) {
  return with_row(steps, [&]<class Word, unsigned Tuple>() {
    const std::uint64_t words = chunk.bytes / sizeof(Word);
    const std::uint32_t tiles = tile_count<Word, Tuple>(chunk.bytes);
    auto* totals = static_cast<Row<Word, Tuple>*>(space);
    return scan_each_order<Word>(steps, chunk, [&](const Word* in, Word* out) {
      scan_tiles<BlockScan><<<tiles, kThreads, 0, stream>>>(in, out, words, totals);
      scan_totals<BlockScan><<<1, kThreads, 0, stream>>>(totals, tiles);
      add_totals<<<tiles, kThreads, 0, stream>>>(out, words, totals);
    });
  });
}

}  // namespace tdz::cuda::baseline
