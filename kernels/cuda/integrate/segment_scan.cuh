// SPDX-License-Identifier: Apache-2.0
// The scan over the segments of a warp (tile_scan.hpp has its arithmetic). Segments of one lane lie `apart`
// threads apart: thread t + apart has the one after that of thread t. Whole warps call.
#pragma once

#include "kernels/cuda/tile/tile_scan.hpp"

namespace tdz::cuda {

template <class Sum, unsigned Order, unsigned Rows>
__device__ constexpr MoveTable<Sum, Order, Rows> kMoves = make_move_table<Sum, Order, Rows>();

/// The sum of this thread's carry and of those of its lane before it.
template <class Total, unsigned Order>
__device__ Polynomial<Total, Order> sum_in_warp(Polynomial<Total, Order> carry, unsigned apart) {
  const unsigned thread = threadIdx.x % kWarp;
  for (unsigned distance = apart; distance < kWarp; distance *= 2) {
    for (unsigned k = 0; k < Order; ++k) {
      const Total other = __shfl_up_sync(~0u, carry.term[k], distance);
      carry.term[k] += thread >= distance ? other : 0;
    }
  }
  return carry;
}

/// The sum before this thread's. It asks the thread before, so that a thread keeps only one sum.
template <class Total, unsigned Order>
__device__ Polynomial<Total, Order> before_in_warp(Polynomial<Total, Order> upto, unsigned apart) {
  const unsigned thread = threadIdx.x % kWarp;
  for (unsigned k = 0; k < Order; ++k) {
    const Total before = __shfl_up_sync(~0u, upto.term[k], apart);
    upto.term[k] = thread >= apart ? before : 0;
  }
  return upto;
}

}  // namespace tdz::cuda
