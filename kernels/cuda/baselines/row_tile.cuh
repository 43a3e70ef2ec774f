// SPDX-License-Identifier: Apache-2.0
// What the baselines share: rows of a tuple as elements, and tiles of them in shared memory.
#pragma once

#include <cuda_runtime.h>

#include "kernels/cuda/baselines/baseline.hpp"

namespace tdz::cuda::baseline {

inline constexpr unsigned kThreads = 256;

/// Rows of a thread: a tile has at most 24 KiB, so that it and a block's sums fit 48 KiB.
constexpr unsigned rows_for(unsigned row_bytes) {
  return row_bytes > 96 ? 1 : row_bytes < 12 ? 8 : 96 / row_bytes;
}
template <class Word, unsigned Tuple>
inline constexpr unsigned kRows = rows_for(sizeof(Word) * Tuple);

template <class Word, unsigned Tuple>
struct Row {
  Word word[Tuple] = {};

  __host__ __device__ friend Row operator+(const Row& a, const Row& b) {
    Row sum;
    for (unsigned i = 0; i < Tuple; ++i) sum.word[i] = static_cast<Word>(a.word[i] + b.word[i]);
    return sum;
  }
};

template <class Word, unsigned Tuple>
inline constexpr unsigned kTileWords = kThreads* kRows<Word, Tuple>* Tuple;

template <class Word, unsigned Tuple>
std::uint32_t tile_count(std::uint64_t bytes) {
  return static_cast<std::uint32_t>((bytes / sizeof(Word) + kTileWords<Word, Tuple> - 1) /
                                    kTileWords<Word, Tuple>);
}

/// Coalesced copies of a tile. The last tile may be incomplete.
template <class Word, unsigned Tuple>
__device__ void load_tile(const Word* in, std::uint64_t words, std::uint32_t tile, Word* shared) {
  const std::uint64_t first = std::uint64_t{tile} * kTileWords<Word, Tuple>;
  for (unsigned i = threadIdx.x; i < kTileWords<Word, Tuple>; i += kThreads) {
    shared[i] = first + i < words ? in[first + i] : Word{0};
  }
}
template <class Word, unsigned Tuple>
__device__ void store_tile(Word* out, std::uint64_t words, std::uint32_t tile, const Word* shared) {
  const std::uint64_t first = std::uint64_t{tile} * kTileWords<Word, Tuple>;
  for (unsigned i = threadIdx.x; i < kTileWords<Word, Tuple>; i += kThreads) {
    if (first + i < words) out[first + i] = shared[i];
  }
}

/// Scans this thread's rows in place; returns their total.
template <class Word, unsigned Tuple>
__device__ Row<Word, Tuple> scan_own_rows(Row<Word, Tuple>* rows) {
  Row<Word, Tuple> sum;
  for (unsigned r = 0; r < kRows<Word, Tuple>; ++r)
    rows[threadIdx.x * kRows<Word, Tuple> + r] = sum = sum + rows[threadIdx.x * kRows<Word, Tuple> + r];
  return sum;
}
template <class Word, unsigned Tuple>
__device__ void add_to_own_rows(Row<Word, Tuple>* rows, const Row<Word, Tuple>& before) {
  for (unsigned r = 0; r < kRows<Word, Tuple>; ++r)
    rows[threadIdx.x * kRows<Word, Tuple> + r] = before + rows[threadIdx.x * kRows<Word, Tuple> + r];
}

/// Step-efficient exclusive scan over the block (Hillis and Steele, 1986; Hwu, Kirk and El Hajj, ch. 11:
/// Kogge-Stone).
struct KoggeStone {
  template <class Word, unsigned Tuple>
  __device__ static Row<Word, Tuple> exclusive(Row<Word, Tuple> own, Row<Word, Tuple>* room) {
    room[threadIdx.x] = own;
    __syncthreads();  // publishes the threads' totals
    for (unsigned distance = 1; distance < kThreads; distance *= 2) {
      if (threadIdx.x >= distance) own = room[threadIdx.x - distance] + own;
      __syncthreads();  // frees the totals for overwriting
      room[threadIdx.x] = own;
      __syncthreads();  // publishes this step's sums
    }
    return threadIdx.x == 0 ? Row<Word, Tuple>{} : room[threadIdx.x - 1];
  }
  static constexpr unsigned kRoom = kThreads;
};

/// Turns run-time tuple and word into types: calls use.template operator()<Word, Tuple>().
template <class Word, unsigned Tuple = 1, class Use>
cudaError_t with_tuple(std::uint32_t tuple, const Use& use) {
  if constexpr (Tuple > 8) {
    return cudaErrorInvalidValue;
  } else {
    return tuple == Tuple ? use.template operator()<Word, Tuple>() : with_tuple<Word, Tuple + 1>(tuple, use);
  }
}
template <class Use>
cudaError_t with_row(const Pass& steps, const Use& use) {
  switch (steps.word) {
    case 1:
      return with_tuple<std::uint8_t>(steps.tuple, use);
    case 2:
      return with_tuple<std::uint16_t>(steps.tuple, use);
    case 4:
      return with_tuple<std::uint32_t>(steps.tuple, use);
    case 8:
      return with_tuple<std::uint64_t>(steps.tuple, use);
    default:
      return cudaErrorInvalidValue;
  }
}

/// Order q as q scans: from `in` to `out`, then in place. scan(in, out) enqueues one.
template <class Word, class Scan>
cudaError_t scan_each_order(const Pass& steps, const ChunkTask& chunk, const Scan& scan) {
  const auto* in = reinterpret_cast<const Word*>(chunk.in);
  auto* out = reinterpret_cast<Word*>(chunk.out);
  for (unsigned order = 0; order < steps.order; ++order) {
    scan(order == 0 ? in : out, out);
    const cudaError_t launched = cudaGetLastError();
    if (launched != cudaSuccess) return launched;
  }
  return cudaSuccess;
}

/// Every method needs a few sums for each tile.
inline std::size_t space_for_tiles(const Pass& steps, std::uint64_t bytes) {
  const unsigned row_bytes = steps.tuple * steps.word;
  const std::uint64_t tiles = bytes / (std::uint64_t{kThreads} * rows_for(row_bytes) * row_bytes) + 2;
  return 4096 + tiles * (steps.tuple * 16 + 64);
}

}  // namespace tdz::cuda::baseline
