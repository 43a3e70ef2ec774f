// SPDX-License-Identifier: Apache-2.0
// The three-phase scan of Harris, "Parallel Prefix Sum (Scan) with CUDA", GPU Gems 3, ch. 39: scan every
// tile, scan the tiles' totals, add them. It reads and writes everything twice. The block scan is a
// parameter.
#include "kernels/cuda/baselines/row_tile.cuh"

namespace tdz::cuda::baseline {
namespace {

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

// ---- Block scans

/// Work-efficient exclusive scan (Blelloch, 1990; Harris, "Parallel Prefix Sum (Scan) with CUDA", GPU Gems 3,
/// ch. 39), indices padded every 32 against bank conflicts.
struct Blelloch {
  __device__ static unsigned padded(unsigned i) { return i + i / 32; }
  static constexpr unsigned kRoom = kThreads + kThreads / 32;

  template <class Word, unsigned Tuple>
  __device__ static Row<Word, Tuple> exclusive(const Row<Word, Tuple>& own, Row<Word, Tuple>* room) {
    room[padded(threadIdx.x)] = own;
    unsigned distance = 1;
    for (unsigned pairs = kThreads / 2; pairs > 0; pairs /= 2, distance *= 2) {
      __syncthreads();  // publishes the level below
      if (threadIdx.x >= pairs) continue;
      const unsigned left = padded(distance * (2 * threadIdx.x + 1) - 1);
      const unsigned right = padded(distance * (2 * threadIdx.x + 2) - 1);
      room[right] = room[left] + room[right];
    }
    if (threadIdx.x == 0) room[padded(kThreads - 1)] = {};
    for (unsigned pairs = 1; pairs < kThreads; pairs *= 2) {
      distance /= 2;
      __syncthreads();  // publishes the level above
      if (threadIdx.x >= pairs) continue;
      const unsigned left = padded(distance * (2 * threadIdx.x + 1) - 1);
      const unsigned right = padded(distance * (2 * threadIdx.x + 2) - 1);
      const Row<Word, Tuple> below = room[left];
      room[left] = room[right];
      room[right] = below + room[right];
    }
    __syncthreads();  // publishes the exclusive sums
    return room[padded(threadIdx.x)];
  }
};

/// Work-efficient: sums of 2, 4, 8, .. neighbours, then the sums between them. Indices are padded every 32
/// against bank conflicts.
struct BrentKung {
  __device__ static unsigned padded(unsigned i) { return i + i / 32; }
  static constexpr unsigned kRoom = kThreads + kThreads / 32;

  template <class Word, unsigned Tuple>
  __device__ static Row<Word, Tuple> exclusive(const Row<Word, Tuple>& own, Row<Word, Tuple>* room) {
    room[padded(threadIdx.x)] = own;
    for (unsigned distance = 1; distance < kThreads; distance *= 2) {
      __syncthreads();  // publishes the level below
      add(room, 2 * distance * (threadIdx.x + 1) - 1 - distance, distance);
    }
    for (unsigned distance = kThreads / 4; distance > 0; distance /= 2) {
      __syncthreads();  // publishes the level above
      add(room, 2 * distance * (threadIdx.x + 1) - 1, distance);
    }
    __syncthreads();  // publishes the sums
    return threadIdx.x == 0 ? Row<Word, Tuple>{} : room[padded(threadIdx.x - 1)];
  }

 private:
  /// Adds one sum to that at a distance behind it.
  template <class Word, unsigned Tuple>
  __device__ static void add(Row<Word, Tuple>* room, unsigned from, unsigned distance) {
    if (from + distance >= kThreads) return;
    Row<Word, Tuple>& to = room[padded(from + distance)];
    to = room[padded(from)] + to;
  }
};

}  // namespace
}  // namespace tdz::cuda::baseline

// Blelloch, "Prefix Sums and Their Applications", 1990, as Harris put it on GPUs (GPU Gems 3, ch. 39).
const tdz::cuda::Baseline tdz::cuda::kBlelloch = {"blelloch", baseline::space_for_tiles,
                                                  baseline::three_phase<baseline::Blelloch>};

// Hillis and Steele, "Data Parallel Algorithms", 1986: the Kogge-Stone block scan in the same three phases.
const tdz::cuda::Baseline tdz::cuda::kKoggeStone = {"kogge-stone", baseline::space_for_tiles,
                                                    baseline::three_phase<baseline::KoggeStone>};

// Brent and Kung, "A Regular Layout for Parallel Adders", 1982, as Hwu, Kirk and El Hajj put it on GPUs
// (Programming Massively Parallel Processors, ch. 11), in the same three phases.
const tdz::cuda::Baseline tdz::cuda::kBrentKung = {"brent-kung", baseline::space_for_tiles,
                                                   baseline::three_phase<baseline::BrentKung>};
