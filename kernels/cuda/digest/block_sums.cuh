// SPDX-License-Identifier: Apache-2.0
// Sums of the stripes of whole blocks of XXH3, by one warp: eight blocks at once.
//
// A thread reads 16 bytes of every eighth stripe: pair thread % 4 of the stripes thread / 4 and
// thread / 4 + 8. Then the eight threads of a pair add up, so that thread / 4 becomes the block: threads
// exchange halves of what they hold, three times, which takes 7 exchanges where a sum for each block
// takes 24.
#pragma once

#include "kernels/cuda/digest/digest_plan.hpp"

namespace tdz::cuda {

struct BlockSums {
  xxh3::Pair key[2];  ///< of the two stripes that this thread reads in every block

  __device__ explicit BlockSums(unsigned thread)
      : key{xxh3::stripe_key(thread / 4, thread % 4), xxh3::stripe_key(thread / 4 + 8, thread % 4)} {}

  /// Adds what this thread has read of half `half` of a block, the first 8 bytes in front.
  __device__ void add(xxh3::Pair& sum, unsigned half, std::uint64_t first, std::uint64_t second) const {
    xxh3::add_stripe(sum, key[half], first, second);
  }

  /// sum[0] becomes pair thread % 4 of the row of block thread / 4. By all threads of the warp.
  __device__ static void gather(xxh3::Pair (&sum)[kBlocksPerWarp], unsigned thread) {
    gather_half<16>(sum, thread);
  }

 private:
  /// Threads that differ in bit `Bit` of their number share their blocks: each keeps one half of them.
  template <unsigned Bit>
  __device__ static void gather_half(xxh3::Pair (&sum)[kBlocksPerWarp], unsigned thread) {
    constexpr unsigned kept = Bit / 4;
    const bool upper = (thread & Bit) != 0;
#pragma unroll
    for (unsigned b = 0; b < kept; ++b) {
      const xxh3::Pair keep = upper ? sum[b + kept] : sum[b], give = upper ? sum[b] : sum[b + kept];
      sum[b].even = keep.even + __shfl_xor_sync(0xFFFFFFFF, give.even, Bit);
      sum[b].odd = keep.odd + __shfl_xor_sync(0xFFFFFFFF, give.odd, Bit);
    }
    if constexpr (kept > 1) gather_half<Bit / 2>(sum, thread);
  }
};

/// Leaves the row of one block of XXH3 (digest_plan.hpp), by a whole warp. A thread has lines `thread` and
/// `thread + 32` of it: pair thread % 4 of two stripes. The eight threads of a pair add up, one half the even
/// word, the other half the odd one. `row`: null, then nothing is written.
__device__ inline void leave_row(std::uint64_t* row, const uint4& low, const uint4& high, unsigned thread) {
  const auto wide = [](std::uint32_t lower, std::uint32_t upper) {
    return std::uint64_t{upper} << 32 | lower;
  };
  const unsigned stripe = thread / 4, pair = thread % 4;
  xxh3::Pair sum;
  xxh3::add_stripe(sum, xxh3::stripe_key(stripe, pair), wide(low.x, low.y), wide(low.z, low.w));
  xxh3::add_stripe(sum, xxh3::stripe_key(stripe + 8, pair), wide(high.x, high.y), wide(high.z, high.w));
  const bool odd = thread >= 16;
  std::uint64_t kept = odd ? sum.odd : sum.even;
  kept += __shfl_xor_sync(0xFFFFFFFF, odd ? sum.even : sum.odd, 16);
  kept += __shfl_xor_sync(0xFFFFFFFF, kept, 8);
  kept += __shfl_xor_sync(0xFFFFFFFF, kept, 4);
  if (thread % 16 < 4 && row != nullptr) row[2 * pair + (odd ? 1 : 0)] = kept;
}

}  // namespace tdz::cuda
