// SPDX-License-Identifier: Apache-2.0
// What one tile passes to the next while a block walks a chunk: for every lane a carry (integrate) or a
// history (difference).
#pragma once

#include <cuda_runtime.h>

#include "kernels/cuda/tile/scan_job.hpp"

namespace tdz::cuda {

/// The carries of all lanes, twice: a tile reads its own copy while it writes the next tile's.
template <class Word, unsigned Order>
struct CarryPair {
  using Total = Sum<Word>;
  Total* first;
  std::uint32_t tuple;

  __device__ Total& term(unsigned iteration, unsigned k, unsigned lane) const {
    return first[((iteration % 2) * Order + k) * tuple + lane];
  }
  __device__ void clear() const {
    for (unsigned i = threadIdx.x; i < Order * tuple; i += blockDim.x) first[i] = 0;
  }
  __device__ void add_to(Polynomial<Total, Order>& sum, unsigned iteration, unsigned lane) const {
    for (unsigned k = 0; k < Order; ++k) sum.term[k] += term(iteration, k, lane);
  }
  __device__ Polynomial<Total, Order> get(unsigned iteration, unsigned lane) const {
    Polynomial<Total, Order> state;
    add_to(state, iteration, lane);
    return state;
  }
  __device__ void put(unsigned iteration, unsigned lane, const Polynomial<Total, Order>& carry) const {
    for (unsigned k = 0; k < Order; ++k) term(iteration, k, lane) = carry.term[k];
  }
};

}  // namespace tdz::cuda
