// SPDX-License-Identifier: Apache-2.0
// A warp as a team (kernels/uniform/team.hpp), and sums over a warp.
#pragma once

#include <cstdint>

#include "kernels/uniform/team.hpp"

namespace tdz::cuda {

inline constexpr unsigned kAll = ~0u;  ///< lanes of a warp

__device__ inline unsigned lane_id() {
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

  __device__ static unsigned rank() { return lane_id(); }
  __device__ static constexpr unsigned size() { return 32; }
  __device__ static void sync() { __syncwarp(); }
  __device__ static std::uint32_t sum(std::uint32_t value) {
    for (unsigned step = 16; step > 0; step /= 2) value += __shfl_xor_sync(kAll, value, step);
    return value;
  }
  __device__ static std::uint32_t largest(std::uint32_t value) {
    for (unsigned step = 16; step > 0; step /= 2) value = max(value, __shfl_xor_sync(kAll, value, step));
    return value;
  }
  __device__ static uniform::Equals equals(std::uint32_t value) {
    const std::uint32_t same = __match_any_sync(kAll, value), below = (1u << lane_id()) - 1;
    return {uniform::ones_of(same & below), uniform::ones_of(same)};
  }
  __device__ static void add(std::uint32_t& to, std::uint32_t value) { atomicAdd(&to, value); }
  __device__ static void set_bits(std::uint32_t& in, std::uint32_t bits) { atomicOr(&in, bits); }
};

/// The sum of this lane's value and those of the lanes before.
__device__ inline std::uint32_t inclusive_sum(std::uint32_t value) {
  for (unsigned step = 1; step < 32; step *= 2) {
    const std::uint32_t before = __shfl_up_sync(kAll, value, step);
    if (lane_id() >= step) value += before;
  }
  return value;
}

}  // namespace tdz::cuda
