// SPDX-License-Identifier: Apache-2.0
// The weights that move a carry between the first row of a chunk and the first row of a tile: (1 - x)^-m
// forward, (1 - x)^m back, over m lane steps. A warp computes them for tile after tile, each from the weights
// before it, with one product for every bit of the distance. Its threads hold the terms, its half-warps the
// two directions.
#pragma once

#include "kernels/cuda/tile/scan_job.hpp"
#include "kernels/cuda/tile/tile_plan.hpp"

namespace tdz::cuda {

inline constexpr unsigned kHalfWarp = kWarp / 2;
inline constexpr unsigned kForward = 0, kBack = 1;  ///< index of a half-warp, and of its part of the weights

template <class Total, unsigned Order>
using TileWeights = Total[2][Order];
/// The weights of moves over 2^i tiles.
template <class Total, unsigned Order>
using TilePowers = TileWeights<Total, Order>[kTilePowers];

/// The product mod x^q of two polynomials. Thread k of each half-warp holds term k; the other threads hold
/// zeros. A whole warp calls.
template <class Total, unsigned Order>
__device__ Total product_in_half_warps(Total left, Total right) {
  static_assert(2 * Order <= kHalfWarp + 1, "k - j < 0 must wrap to a thread without a term");
  if constexpr (Order == 1) return left * right;
  const unsigned k = threadIdx.x % kHalfWarp;
  Total sum = 0;
#pragma unroll
  for (unsigned j = 0; j < Order; ++j) {
    sum += __shfl_sync(~0u, left, (k - j) % kHalfWarp, kHalfWarp) * __shfl_sync(~0u, right, j, kHalfWarp);
  }
  return k < Order ? sum : 0;
}

/// Term k for thread k of a half-warp; zero for the other threads.
template <class Total, unsigned Order>
__device__ Total own_term(const Total (&terms)[Order]) {
  const unsigned k = threadIdx.x % kHalfWarp;
  return k < Order ? terms[k] : 0;
}

template <class Total, unsigned Order>
class WeightWalk {
 public:
  /// A whole warp calls each of these functions. A tile is `length` lane steps long.
  __device__ static void make_powers(TilePowers<Total, Order>& powers, std::uint64_t length,
                                     std::uint32_t tiles) {
    Total step = one_lane_step(), power = one();
    for (; length != 0; length >>= 1) {
      if ((length & 1) != 0) power = product(power, step);
      step = product(step, step);
    }
    for (unsigned i = 0; i < kTilePowers && tiles >> i != 0; ++i) {
      if (term() < Order) powers[i][direction()][term()] = power;
      power = product(power, power);
    }
    __syncwarp();  // publishes the powers within the warp
  }

  /// The weights of a chunk's first tile.
  __device__ static void start(TileWeights<Total, Order>& weights) { put(weights, one()); }

  /// From the weights of one tile to those of the tile that lies `distance` tiles further on.
  __device__ static void advance(TileWeights<Total, Order>& weights, const TileWeights<Total, Order>& from,
                                 const TilePowers<Total, Order>& powers, std::uint32_t distance) {
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
    if (direction() == kForward || term() == 0) return 1;
    return term() == 1 ? ~Total{0} : 0;
  }
  __device__ static void put(TileWeights<Total, Order>& weights, Total weight) {
    if (term() < Order) weights[direction()][term()] = weight;
  }
};

}  // namespace tdz::cuda
