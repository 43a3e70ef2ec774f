// SPDX-License-Identifier: Apache-2.0
// What one tile hands to the next while a block walks a chunk: a carry (integrate) or a history (difference)
// a lane.
#pragma once

#include <cuda_runtime.h>

#include "kernels/cuda/tile/scan_job.hpp"

namespace tdz::cuda {

/// Those of all lanes, twice: a tile reads one copy while it writes the next one's.
template <class Word, unsigned Order>
struct CarryPair {
  using Total = Sum<Word>;
  Total* first;
  std::uint32_t tuple;

  __device__ Total& term(unsigned turn, unsigned k, unsigned lane) const {
    return first[((turn % 2) * Order + k) * tuple + lane];
  }
  __device__ void clear() const {
    for (unsigned i = threadIdx.x; i < Order * tuple; i += blockDim.x) first[i] = 0;
  }
  __device__ void add_to(Polynomial<Total, Order>& sum, unsigned turn, unsigned lane) const {
    for (unsigned k = 0; k < Order; ++k) sum.term[k] += term(turn, k, lane);
  }
  __device__ Polynomial<Total, Order> get(unsigned turn, unsigned lane) const {
    Polynomial<Total, Order> state;
    add_to(state, turn, lane);
    return state;
  }
  __device__ void put(unsigned turn, unsigned lane, const Polynomial<Total, Order>& carry) const {
    for (unsigned k = 0; k < Order; ++k) term(turn, k, lane) = carry.term[k];
  }
};

}  // namespace tdz::cuda
