// SPDX-License-Identifier: Apache-2.0
// The one-phase scan: every tile is read once and written once for each order, and blocks pass sums to each
// other. A parameter says how.
#pragma once

#include "kernels/cuda/baselines/row_tile.cuh"

namespace tdz::cuda::baseline {

/// Sums of tiles, and flags in another array. A flag is written after its sum, and read before it.
template <class Word, unsigned Tuple>
struct Relay {
  std::uint32_t* counter;  ///< hands out tiles
  std::uint32_t* flags;
  Row<Word, Tuple>* sums;
  std::uint32_t tiles;

  __device__ void publish(std::uint32_t at, const Row<Word, Tuple>& sum, std::uint32_t flag) const {
    for (unsigned i = 0; i < Tuple; ++i) *const_cast<volatile Word*>(&sums[at].word[i]) = sum.word[i];
    __threadfence();
    *const_cast<volatile std::uint32_t*>(&flags[at]) = flag;
  }
  __device__ std::uint32_t flag(std::uint32_t at) const {
    return *const_cast<volatile std::uint32_t*>(&flags[at]);
  }
  __device__ Row<Word, Tuple> sum(std::uint32_t at) const {
    __threadfence();
    Row<Word, Tuple> read;
    for (unsigned i = 0; i < Tuple; ++i) read.word[i] = *const_cast<volatile Word*>(&sums[at].word[i]);
    return read;
  }
};

template <class Link, class Word, unsigned Tuple>
__global__ void __launch_bounds__(kThreads)
    scan_once(const Word* in, Word* out, std::uint64_t words, Relay<Word, Tuple> relay) {
  __shared__ Row<Word, Tuple> rows[kThreads * kRows<Word, Tuple>];
  __shared__ Row<Word, Tuple> room[KoggeStone::kRoom];
  __shared__ Row<Word, Tuple> carry;
  __shared__ std::uint32_t tile;
  if (threadIdx.x == 0) tile = atomicAdd(relay.counter, 1);
  __syncthreads();  // publishes the tile's number
  auto* words_of_tile = reinterpret_cast<Word*>(rows);
  load_tile<Word, Tuple>(in, words, tile, words_of_tile);
  __syncthreads();  // publishes the tile
  const auto own = scan_own_rows(rows);
  const auto before = KoggeStone::exclusive(own, room);
  if (threadIdx.x == kThreads - 1) carry = Link::carry(relay, tile, before + own);
  __syncthreads();  // publishes the carry
  add_to_own_rows(rows, carry + before);
  __syncthreads();  // publishes the sums
  store_tile<Word, Tuple>(out, words, tile, words_of_tile);
}

template <class Link>
cudaError_t one_phase(const Pass& steps, const ChunkTask& chunk, void* space, cudaStream_t stream) {
  return with_row(steps, [&]<class Word, unsigned Tuple>() {
    const std::uint64_t words = chunk.bytes / sizeof(Word);
    const std::uint32_t tiles = tile_count<Word, Tuple>(chunk.bytes);
    auto* bytes = static_cast<std::byte*>(space);
    auto* counter = reinterpret_cast<std::uint32_t*>(bytes);
    const std::size_t flags_end = (128 + 4 * std::size_t{tiles} + 15) / 16 * 16;
    const Relay<Word, Tuple> relay = {counter, counter + 32,
                                      reinterpret_cast<Row<Word, Tuple>*>(bytes + flags_end), tiles};
    return scan_each_order<Word>(steps, chunk, [&](const Word* in, Word* out) {
      cudaMemsetAsync(space, 0, flags_end, stream);
      scan_once<Link><<<tiles, kThreads, 0, stream>>>(in, out, words, relay);
    });
  });
}

}  // namespace tdz::cuda::baseline
