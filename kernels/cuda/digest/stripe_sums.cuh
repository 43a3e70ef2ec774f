// SPDX-License-Identifier: Apache-2.0
// Sums of the stripes of whole blocks, by one warp: eight blocks at once.
//
// A lane reads 16 bytes of every eighth stripe: pair lane % 4 of the stripes lane / 4 and lane / 4 + 8. Then
// the eight lanes of a pair add up, so that lane / 4 becomes the block: lanes exchange halves of what they
// hold, three times, which takes 7 exchanges where a sum for each block takes 24.
#pragma once

#include <cuda_runtime.h>

#include "kernels/cuda/digest/digest_plan.hpp"

namespace tdz::cuda {

inline constexpr unsigned kAllLanes = 0xFFFFFFFF;

/// Reads 16 bytes at `at`. Aligned: the address is a multiple of 16. Otherwise nothing outside the 16 bytes
/// is read.
template <bool Aligned>
__device__ inline ulonglong2 load_pair(const xxh3::Byte* at) {
  if constexpr (Aligned) {
    return __ldcs(reinterpret_cast<const ulonglong2*>(at));
  } else {
    return {xxh3::read64(at), xxh3::read64(at + 8)};
  }
}

struct WarpSums {
  xxh3::Pair key[2];  ///< of the two stripes that this lane reads in every block

  __device__ explicit WarpSums(unsigned lane)
      : key{xxh3::stripe_key(lane / 4, lane % 4), xxh3::stripe_key(lane / 4 + 8, lane % 4)} {}

  /// Sums `count` blocks (1 to 8) from `blocks` on, and stores their rows.
  template <bool Aligned>
  __device__ void run(const xxh3::Byte* blocks, unsigned count, unsigned lane, ulonglong2* rows) const {
    xxh3::Pair sum[kBlocksPerWarp];
    const xxh3::Byte* at = blocks + 16 * lane;
    if (count == kBlocksPerWarp) {
      add_blocks<Aligned>(at, sum);
    } else {
#pragma unroll
      for (unsigned b = 0; b < kBlocksPerWarp; ++b) {
        if (b < count) add_block<Aligned>(at + b * xxh3::kBlock, sum[b]);
      }
    }
    gather<16>(sum, lane);
    if (lane / 4 < count) rows[lane] = {sum[0].even, sum[0].odd};
  }

  /// What is behind the last scramble: its whole stripes, and the input's last 64 bytes. Word lane % 8.
  template <bool Aligned>
  __device__ std::uint64_t tail(const xxh3::Byte* data, std::uint64_t bytes, unsigned lane) const {
    const xxh3::Byte* at = data + xxh3::scrambles_of(bytes) * xxh3::kBlock + 16 * lane;
    const unsigned stripes = xxh3::tail_stripes(bytes);
    xxh3::Pair sum;
    if (lane / 4 < stripes) add(sum, 0, load_pair<Aligned>(at));
    if (lane / 4 + 8 < stripes) add(sum, 1, load_pair<Aligned>(at + xxh3::kBlock / 2));
    if (lane < 4) add_last(sum, data + bytes - xxh3::kStripe + 16 * lane, lane);
    for (unsigned bit = 16; bit >= 4; bit /= 2) {
      sum.even += __shfl_xor_sync(kAllLanes, sum.even, bit);
      sum.odd += __shfl_xor_sync(kAllLanes, sum.odd, bit);
    }
    const std::uint64_t even = __shfl_sync(kAllLanes, sum.even, lane % 8 / 2);
    const std::uint64_t odd = __shfl_sync(kAllLanes, sum.odd, lane % 8 / 2);
    return lane % 2 == 0 ? even : odd;
  }

 private:
  /// The last 64 bytes begin anywhere.
  __device__ static void add_last(xxh3::Pair& sum, const xxh3::Byte* at, unsigned pair) {
    const ulonglong2 read = load_pair<false>(at);
    xxh3::add_stripe(sum, xxh3::last_key(pair), read.x, read.y);
  }

  __device__ void add(xxh3::Pair& sum, unsigned half, ulonglong2 read) const {
    xxh3::add_stripe(sum, key[half], read.x, read.y);
  }

  template <bool Aligned>
  __device__ void add_block(const xxh3::Byte* at, xxh3::Pair& sum) const {
    add(sum, 0, load_pair<Aligned>(at));
    add(sum, 1, load_pair<Aligned>(at + xxh3::kBlock / 2));
  }

  /// All loads before the first sum.
  template <bool Aligned>
  __device__ void add_blocks(const xxh3::Byte* at, xxh3::Pair (&sum)[kBlocksPerWarp]) const {
    ulonglong2 read[2 * kBlocksPerWarp];
#pragma unroll
    for (unsigned i = 0; i < 2 * kBlocksPerWarp; ++i)
      read[i] = load_pair<Aligned>(at + i * (xxh3::kBlock / 2));
#pragma unroll
    for (unsigned i = 0; i < 2 * kBlocksPerWarp; ++i) add(sum[i / 2], i % 2, read[i]);
  }

  /// Lanes that differ in bit `Bit` of their number share their blocks: each keeps one half of them.
  template <unsigned Bit>
  __device__ static void gather(xxh3::Pair (&sum)[kBlocksPerWarp], unsigned lane) {
    constexpr unsigned kept = Bit / 4;
    const bool upper = (lane & Bit) != 0;
#pragma unroll
    for (unsigned b = 0; b < kept; ++b) {
      const xxh3::Pair keep = upper ? sum[b + kept] : sum[b], give = upper ? sum[b] : sum[b + kept];
      sum[b].even = keep.even + __shfl_xor_sync(kAllLanes, give.even, Bit);
      sum[b].odd = keep.odd + __shfl_xor_sync(kAllLanes, give.odd, Bit);
    }
    if constexpr (kept > 1) gather<Bit / 2>(sum, lane);
  }
};

}  // namespace tdz::cuda
