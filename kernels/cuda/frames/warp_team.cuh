// SPDX-License-Identifier: Apache-2.0
// A warp as a team (kernels/uniform/team.hpp), and sums over a warp.
#pragma once

#include <cstdint>

#include "kernels/uniform/team.hpp"

namespace tdz::cuda {

inline constexpr unsigned kAll = ~0u;  ///< threads of a warp

__device__ inline unsigned warp_thread() {
  return threadIdx.x % 32;
}

/// The shared memory whose size the launch says, aligned to 16 bytes.
__device__ inline uint4* launched_shared() {
#if defined(__CUDACC__)
  extern __shared__ uint4 memory[];
  return memory;
#else
  return simulated::dynamic_shared;
#endif
}

struct WarpTeam {
  static constexpr bool kAlone = false;

  __device__ static unsigned rank() { return warp_thread(); }
  __device__ static constexpr unsigned size() { return 32; }
  __device__ static void sync() { __syncwarp(); }
  __device__ static std::uint32_t sum(std::uint32_t value) {
    for (unsigned step = 16; step > 0; step /= 2) value += __shfl_xor_sync(kAll, value, step);
    return value;
  }
  __device__ static std::uint32_t sum_before(std::uint32_t value);
  __device__ static std::uint32_t largest(std::uint32_t value) {
    for (unsigned step = 16; step > 0; step /= 2) value = max(value, __shfl_xor_sync(kAll, value, step));
    return value;
  }
  __device__ static uniform::Equals equals(std::uint32_t value) {
    const std::uint32_t same = __match_any_sync(kAll, value), below = (1u << warp_thread()) - 1;
    return {uniform::ones_of(same & below), uniform::ones_of(same)};
  }
  __device__ static void add(std::uint32_t& to, std::uint32_t value) { atomicAdd(&to, value); }
  __device__ static void set_bits(std::uint32_t& in, std::uint32_t bits) { atomicOr(&in, bits); }

  __device__ static void sort(std::uint32_t* first, unsigned count) {
    if (count <= 32) return sort_by<1>(first, count);
    if (count <= 64) return sort_by<2>(first, count);
    if (count <= 128) return sort_by<4>(first, count);
    sort_by<8>(first, count);
  }

 private:
  /// A bitonic network (Batcher 1968). Number e stands in place e mod kEach of thread e / kEach.
  template <unsigned kEach>
  __device__ static void sort_by(std::uint32_t* first, unsigned count) {
    std::uint32_t own[kEach];
#pragma unroll
    for (unsigned i = 0; i < kEach; ++i) {
      const unsigned at = i * 32 + warp_thread();  // any order is as good
      own[i] = at < count ? first[at] : ~0u;
    }
    __syncwarp();
#pragma unroll
    for (unsigned size = 2; size <= 32 * kEach; size *= 2) {
#pragma unroll
      for (unsigned step = size / 2; step > 0; step /= 2) {
        if (step >= kEach) {
          exchange<kEach>(own, size, step);
        } else {
          exchange_in_thread<kEach>(own, size, step);
        }
      }
    }
#pragma unroll
    for (unsigned i = 0; i < kEach; ++i)
      if (warp_thread() * kEach + i < count) first[warp_thread() * kEach + i] = own[i];
    __syncwarp();
  }
  template <unsigned kEach>
  __device__ static void exchange(std::uint32_t (&own)[kEach], unsigned size, unsigned step) {
    const unsigned thread = warp_thread();
    const bool smaller = ((thread * kEach & step) == 0) == ((thread * kEach & size) == 0);
#pragma unroll
    for (unsigned i = 0; i < kEach; ++i) {
      const std::uint32_t other = __shfl_xor_sync(kAll, own[i], step / kEach);
      own[i] = smaller ? min(own[i], other) : max(own[i], other);
    }
  }
  template <unsigned kEach>
  __device__ static void exchange_in_thread(std::uint32_t (&own)[kEach], unsigned size, unsigned step) {
#pragma unroll
    for (unsigned i = 0; i < kEach; ++i) {
      if ((i & step) != 0) continue;
      const bool rises = ((warp_thread() * kEach + i) & size) == 0;
      const std::uint32_t low = min(own[i], own[i + step]), high = max(own[i], own[i + step]);
      own[i] = rises ? low : high, own[i + step] = rises ? high : low;
    }
  }
};

/// The sum of this thread's value and those of the threads before.
template <class Sum>
__device__ inline Sum inclusive_sum(Sum value) {
#pragma unroll
  for (unsigned step = 1; step < 32; step *= 2) {
    const Sum before = __shfl_up_sync(kAll, value, step);
    if (warp_thread() >= step) value += before;
  }
  return value;
}

__device__ inline std::uint32_t WarpTeam::sum_before(std::uint32_t value) {
  return inclusive_sum(value) - value;
}

/// Calls put(i, sum of length(0 .. i - 1)) for i below count, and returns the sum of all. For a warp.
template <class Length, class Put>
__device__ std::uint32_t warp_offsets(std::uint32_t count, const Length& length, const Put& put) {
  std::uint32_t sum = 0;
  for (std::uint32_t begin = 0; begin < count; begin += 32) {
    const std::uint32_t i = begin + warp_thread(), own = i < count ? length(i) : 0;
    const std::uint32_t up_to = inclusive_sum(own);
    if (i < count) put(i, sum + up_to - own);
    sum += __shfl_sync(kAll, up_to, 31);
  }
  return sum;
}

}  // namespace tdz::cuda
