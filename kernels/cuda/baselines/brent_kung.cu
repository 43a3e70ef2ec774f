// SPDX-License-Identifier: Apache-2.0
// Brent and Kung, "A Regular Layout for Parallel Adders", 1982, as Hwu, Kirk and El Hajj put it on GPUs
// (Programming Massively Parallel Processors, ch. 11), in the same three phases.
#include "kernels/cuda/baselines/three_phase.cuh"

namespace tdz::cuda::baseline {
namespace {

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

const tdz::cuda::Baseline tdz::cuda::kBrentKung = {"brent-kung", baseline::space_for_tiles,
                                                   baseline::three_phase<baseline::BrentKung>};
