// SPDX-License-Identifier: Apache-2.0
// The weights that move a carry between the first row of a chain and the start of a post: (1 - x)^-m onward,
// (1 - x)^m back, m lane steps apart. A warp makes them for post after post, each from the one before by a
// product for every bit of the distance; its threads are the terms, its half-warps the two directions.
#pragma once

#include <cuda_runtime.h>

#include "kernels/cuda/tile/scan_job.hpp"
#include "kernels/cuda/tile/tile_plan.hpp"

namespace tdz::cuda {

inline constexpr unsigned kHalfWarp = kWarp / 2;
inline constexpr unsigned kOnward = 0, kBack = 1;  ///< half-warps, and parts of the weights

template <class Total, unsigned Order>
using PostWeights = Total[2][Order];
/// Of moves over 2^i posts.
template <class Total, unsigned Order>
using PostPowers = PostWeights<Total, Order>[kPostPowers];

/// The product mod x^q of polynomials whose term k lies with thread k of each half-warp, zeros beyond. A
/// whole warp calls.
template <class Total, unsigned Order>
__device__ Total product_in_half_warps(Total left, Total right) {
  static_assert(2 * Order <= kHalfWarp + 1, "k - j of j > k must come to a thread without a term");
  if constexpr (Order == 1) return left * right;
  const unsigned k = threadIdx.x % kHalfWarp;
  Total sum = 0;
#pragma unroll
  for (unsigned j = 0; j < Order; ++j) {
    sum += __shfl_sync(~0u, left, (k - j) % kHalfWarp, kHalfWarp) * __shfl_sync(~0u, right, j, kHalfWarp);
  }
  return k < Order ? sum : 0;
}

/// Thread k's term of `terms`; zero beyond them.
template <class Total, unsigned Order>
__device__ Total own_term(const Total (&terms)[Order]) {
  const unsigned k = threadIdx.x % kHalfWarp;
  return k < Order ? terms[k] : 0;
}

template <class Total, unsigned Order>
class WeightWalk {
 public:
  /// A whole warp calls, and then the other members; posts are `length` lane steps long.
  __device__ static void make_powers(PostPowers<Total, Order>& powers, std::uint64_t length,
                                     std::uint32_t posts) {
    Total step = one_lane_step(), power = one();
    for (; length != 0; length >>= 1) {
      if ((length & 1) != 0) power = product(power, step);
      step = product(step, step);
    }
    for (unsigned i = 0; i < kPostPowers && posts >> i != 0; ++i) {
      if (term() < Order) powers[i][direction()][term()] = power;
      power = product(power, power);
    }
    __syncwarp();  // publishes the powers within the warp
  }

  /// The weights of a chain's first post.
  __device__ static void start(PostWeights<Total, Order>& weights) { put(weights, one()); }

  /// From the weights of a post to those of the one `distance` posts on.
  __device__ static void go_on(PostWeights<Total, Order>& weights, const PostWeights<Total, Order>& from,
                               const PostPowers<Total, Order>& powers, std::uint32_t distance) {
    Total weight = own_term<Total, Order>(from[direction()]);
    for (unsigned i = 0; distance >> i != 0; ++i) {
      if ((distance >> i & 1) != 0) weight = product(weight, own_term<Total, Order>(powers[i][direction()]));
    }
    put(weights, weight);
  }

 private:
  __device__ static unsigned term() { return threadIdx.x % kHalfWarp; }
  __device__ static unsigned direction() { return threadIdx.x % kWarp / kHalfWarp; }
  __device__ static Total product(Total left, Total right) {
    return product_in_half_warps<Total, Order>(left, right);
  }
  __device__ static Total one() { return term() == 0 ? 1 : 0; }
  /// (1 - x)^-1 and 1 - x.
  __device__ static Total one_lane_step() {
    if (term() >= Order) return 0;
    if (direction() == kOnward || term() == 0) return 1;
    return term() == 1 ? ~Total{0} : 0;
  }
  __device__ static void put(PostWeights<Total, Order>& weights, Total weight) {
    if (term() < Order) weights[direction()][term()] = weight;
  }
};

}  // namespace tdz::cuda
