// SPDX-License-Identifier: Apache-2.0
// SAM's scheme, from the paper (Maleki, Yang, Burtscher, "Higher-Order and Tuple-Based Massively-Parallel
// Prefix Sums", PLDI 2016), with none of its code. As many blocks as fit stay for the whole input and take
// tiles in turn. A tile stays in shared memory while all orders are scanned, one round for each order. A
// round publishes the tile's total in a circular buffer. The carry is the block's last carry plus the totals
// that all blocks have published since. All blocks must be resident together, as in the paper.
#include "kernels/cuda/baselines/row_tile.cuh"

namespace tdz::cuda::baseline {
namespace {

constexpr unsigned kMaxBlocks = 1024;
constexpr unsigned kLaps = 3;  ///< of the circular buffer; a block is never two laps ahead of another

/// Totals of one order, by tile number modulo the buffer; the flag is the tile's number + 1.
template <class Word, unsigned Tuple>
struct Circle {
  std::uint32_t* flags;
  Row<Word, Tuple>* totals;

  __device__ static unsigned index(unsigned order, std::uint32_t tile) {
    return order * kLaps * kMaxBlocks + tile % (kLaps * gridDim.x);
  }
  __device__ void publish(unsigned order, std::uint32_t tile, const Row<Word, Tuple>& total) const {
    for (unsigned i = 0; i < Tuple; ++i) {
      *const_cast<volatile Word*>(&totals[index(order, tile)].word[i]) = total.word[i];
    }
    __threadfence();
    *const_cast<volatile std::uint32_t*>(&flags[index(order, tile)]) = tile + 1;
  }
  __device__ Row<Word, Tuple> wait(unsigned order, std::uint32_t tile) const {
    while (*const_cast<volatile std::uint32_t*>(&flags[index(order, tile)]) != tile + 1) {
    }
    __threadfence();
    Row<Word, Tuple> total;
    for (unsigned i = 0; i < Tuple; ++i) {
      total.word[i] = *const_cast<volatile Word*>(&totals[index(order, tile)].word[i]);
    }
    return total;
  }
};

/// The sum of the other blocks' totals since this block's last tile. The whole block adds them.
template <class Word, unsigned Tuple>
__device__ Row<Word, Tuple> sum_of_others(const Circle<Word, Tuple>& circle, unsigned order,
                                          std::uint32_t tile, Row<Word, Tuple>* room) {
  const std::uint32_t since = tile >= gridDim.x ? tile - gridDim.x + 1 : 0;
  Row<Word, Tuple> own;
  for (std::uint32_t i = since + threadIdx.x; i < tile; i += kThreads) own = own + circle.wait(order, i);
  room[threadIdx.x] = own;
  for (unsigned distance = kThreads / 2; distance > 0; distance /= 2) {
    __syncthreads();  // publishes the partial sums
    if (threadIdx.x < distance) room[threadIdx.x] = room[threadIdx.x] + room[threadIdx.x + distance];
  }
  __syncthreads();  // publishes the sum
  return room[0];
}

template <class Word, unsigned Tuple>
__global__ void __launch_bounds__(kThreads)
    scan_all_orders(const Word* in, Word* out, std::uint64_t words, unsigned orders, std::uint32_t tiles,
                    Circle<Word, Tuple> circle) {
  __shared__ Row<Word, Tuple> rows[kThreads * kRows<Word, Tuple>];
  __shared__ Row<Word, Tuple> room[KoggeStone::kRoom];
  __shared__ Row<Word, Tuple> upto[kMaxOrder];  ///< through this block's last tile, one for each order
  __shared__ Row<Word, Tuple> total;
  auto* words_of_tile = reinterpret_cast<Word*>(rows);
  if (threadIdx.x < kMaxOrder) upto[threadIdx.x] = {};
  for (std::uint32_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    load_tile<Word, Tuple>(in, words, tile, words_of_tile);
    __syncthreads();  // publishes the tile
    for (unsigned order = 0; order < orders; ++order) {
      const auto own = scan_own_rows(rows);
      const auto before = KoggeStone::exclusive(own, room);
      if (threadIdx.x == kThreads - 1) circle.publish(order, tile, total = before + own);
      __syncthreads();  // frees the room
      const auto carry = upto[order] + sum_of_others(circle, order, tile, room);
      add_to_own_rows(rows, carry + before);
      __syncthreads();  // publishes rows, frees sums
      if (threadIdx.x == 0) upto[order] = carry + total;
      __syncthreads();  // publishes the block's carry
    }
    store_tile<Word, Tuple>(out, words, tile, words_of_tile);
    __syncthreads();  // frees the tile
  }
}

std::size_t sam_space(const Pass& steps, std::uint64_t) {
  return std::size_t{kMaxOrder} * kLaps * kMaxBlocks * (4 + steps.tuple * steps.word);
}

cudaError_t sam(const Pass& steps, const ChunkTask& chunk, void* space, cudaStream_t stream) {
  return with_row(steps, [&]<class Word, unsigned Tuple>() {
    std::uint32_t tiles = tile_count<Word, Tuple>(chunk.bytes);
    int device = 0, multiprocessors = 0, resident = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, scan_all_orders<Word, Tuple>, kThreads, 0);
    const auto most = static_cast<unsigned>(multiprocessors * resident);
    const unsigned blocks = most < kMaxBlocks ? most : kMaxBlocks;
    auto* flags = static_cast<std::uint32_t*>(space);
    constexpr std::size_t kFlags = std::size_t{kMaxOrder} * kLaps * kMaxBlocks;
    const Circle<Word, Tuple> circle = {flags, reinterpret_cast<Row<Word, Tuple>*>(flags + kFlags)};
    cudaMemsetAsync(flags, 0, 4 * kFlags, stream);
    const unsigned grid = blocks < tiles ? blocks : tiles;
    const auto* in = reinterpret_cast<const Word*>(chunk.in);
    auto* out = reinterpret_cast<Word*>(chunk.out);
    std::uint64_t words = chunk.bytes / sizeof(Word);
    unsigned orders = steps.order;
    void* arguments[] = {&in, &out, &words, &orders, &tiles, const_cast<Circle<Word, Tuple>*>(&circle)};
    // Cooperative: the blocks wait for each other, so the launch must fail if they are not all resident.
    return cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(scan_all_orders<Word, Tuple>),
                                       dim3(grid), dim3(kThreads), arguments, 0, stream);
  });
}

}  // namespace
}  // namespace tdz::cuda::baseline

const tdz::cuda::Baseline tdz::cuda::kSam = {"sam", baseline::sam_space, baseline::sam};
