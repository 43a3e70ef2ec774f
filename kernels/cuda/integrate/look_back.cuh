// SPDX-License-Identifier: Apache-2.0
// Look-back for the carries of all orders at once, after decoupled look-back (Merrill and Garland,
// "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVR-2016-002) and SAM's running carry (Maleki,
// Yang, Burtscher, PLDI 2016). This is the protocol only: it knows neither the data of a tile nor how a block
// computed its sums.
//
// A tile publishes its aggregate, placed at the chunk's first row: moved back by all the lane steps before
// the tile. Placed aggregates simply add. So for a block that takes tile p and then tile t of a chunk
//
//     placed(t)  =  placed(p) + sum of aggregate(j) over p <= j < t
//     carry(t)   =  placed(t), moved forward to tile t
//
// This costs two polynomial products for a lane and a tile, however many tiles others published in between.
//
// No sum of a block depends on a sum of another block, only on aggregates. Every tile publishes its aggregate
// before its own look-back: so latencies do not add up from tile to tile. Blocks that run in step find
// one tile of each other block between p and t; a warp asks for 32 * kReach of them at once. Sums mod 2^w use
// every bit. So the status lies beside the payload, in the same 16-byte transaction: no fence is needed, and
// one round trip brings both.
#pragma once

#include <bit>

#include "kernels/cuda/integrate/look_back_space.hpp"
#include "kernels/cuda/integrate/tile_weights.cuh"

namespace tdz::cuda {

/// Statuses; zero before. A sum takes the place of its tile's aggregate.
inline constexpr std::uint32_t kPublished = 1, kPublishedSum = 2;
struct TileDescriptor {
  std::uint32_t status, payload[kPayloadWords];
};

/// The descriptors of all tiles of a launch, zeroed before it. Tiles are the fast index: the threads of a
/// warp read neighbours.
struct TileStates {
  uint4* descriptors = nullptr;
  std::uint32_t tiles = 0;

  __device__ uint4* at(unsigned lane, unsigned part, unsigned parts, std::uint32_t tile) const {
    return descriptors + (std::uint64_t{lane} * parts + part) * tiles + tile;
  }
};

// 128-bit accesses of one thread are single-copy atomic as .b128 (PTX ISA, from compute capability 7.0 on).
__device__ inline void store_descriptor(uint4* at, const TileDescriptor& from) {
#ifndef __CUDA_ARCH__
  *at = {from.status, from.payload[0], from.payload[1], from.payload[2]};
#else
  asm volatile(
      "{\n .reg .b128 whole;\n .reg .b64 low, high;\n"
      "mov.b64 low, {%1, %2};\n mov.b64 high, {%3, %4};\n mov.b128 whole, {low, high};\n"
      "st.relaxed.gpu.global.b128 [%0], whole;\n}" ::"l"(at),
      "r"(from.status), "r"(from.payload[0]), "r"(from.payload[1]), "r"(from.payload[2])
      : "memory");
#endif
}
__device__ inline TileDescriptor load_descriptor(const uint4* at) {
#ifndef __CUDA_ARCH__
  return {at->x, {at->y, at->z, at->w}};
#else
  TileDescriptor found;
  asm volatile(
      "{\n .reg .b128 whole;\n .reg .b64 low, high;\n"
      "ld.relaxed.gpu.global.b128 whole, [%4];\n"
      "mov.b128 {low, high}, whole;\n mov.b64 {%0, %1}, low;\n mov.b64 {%2, %3}, high;\n}"
      : "=r"(found.status), "=r"(found.payload[0]), "=r"(found.payload[1]), "=r"(found.payload[2])
      : "l"(at)
      : "memory");
  return found;
#endif
}

template <class Word, unsigned Order>
class LookBack {
 public:
  using Total = Sum<Word>;
  static constexpr unsigned kDescriptors = carry_descriptors(sizeof(Word), Order);
  using Weights = TileWeights<Total, Order>;

  __device__ explicit LookBack(const TileStates& states) : states_(states) {}

  /// Publishes a tile's aggregate. A whole warp calls; its thread k brings order k, the other threads zero.
  __device__ void publish(std::uint32_t tile, unsigned lane, Total aggregate, const Weights& weights) const {
    publish_placed(tile, lane, placed(aggregate, weights), kPublished);
  }
  /// An aggregate moved back to the chunk's first row. A whole warp calls, as for publish.
  __device__ static Total placed(Total aggregate, const Weights& weights) {
    return product_in_half_warps<Total, Order>(aggregate, own_term<Total, Order>(weights[kBack]));
  }
  /// Publishes an aggregate that is placed, or the sum of all aggregates up to it.
  __device__ void publish_placed(std::uint32_t tile, unsigned lane, Total placed,
                                 std::uint32_t status) const {
    const std::uint32_t word = payload_word(placed);
    const unsigned thread = threadIdx.x % kWarp;
    TileDescriptor own{status, {}};
    for (unsigned i = 0; i < kPayloadWords; ++i)
      own.payload[i] = __shfl_sync(~0u, word, kPayloadWords * thread + i);
    if (thread < kDescriptors) store_descriptor(states_.at(lane, thread, kDescriptors, tile), own);
  }

  /// The sum of what tiles first, ..., end - 1 publish, placed at the chunk's first row. A whole warp calls;
  /// its thread k gets order k, the other threads zero. Precondition: no tile publishes a sum.
  __device__ Total collect(std::uint32_t first, std::uint32_t end, unsigned lane) const {
    Carry sum;
    for (std::uint32_t done = 0; done < end - first; done += kReach * kWarp) {
      collect_together(sum, end - done, end - first - done, lane);
    }
    return in_warp(sum);
  }

  /// The same, where every tile also publishes the sum up to it: tiles before the nearest sum are not asked.
  __device__ Total collect_to_sum(std::uint32_t first, std::uint32_t end, unsigned lane) const {
    Carry sum;
    for (bool found = false; end > first && !found; end -= smaller(end - first, std::uint32_t{kWarp}))
      found = collect_window(sum, first, end, lane);
    return in_warp(sum);
  }

  /// A carry that is placed at the chunk's first row, moved forward to the tile's first row. A whole warp
  /// calls, as for publish.
  __device__ static Total moved_forward(Total placed, const Weights& weights) {
    return product_in_half_warps<Total, Order>(placed, own_term<Total, Order>(weights[kForward]));
  }

 private:
  static constexpr unsigned kTerms = std::bit_ceil(Order);
  using Carry = Polynomial<Total, kTerms>;  ///< with zeros up to a power of two

  /// Tiles that a thread asks for together. With five, one round asks for all tiles of blocks that run in
  /// step, and the number of rounds decides how long a look-back takes. But descriptors on their way take
  /// registers, and a register that spills costs more than a round.
  static constexpr unsigned kReach = Order * sizeof(Word) <= 40 ? 5 : 3;

  /// Word p of the payload for thread p; thread k holds order k of the carry.
  __device__ static std::uint32_t payload_word(Total mine) {
    const unsigned thread = threadIdx.x % kWarp;
    if constexpr (sizeof(Word) == 8) {
      const Total sum = __shfl_sync(~0u, mine, thread / 2);
      return static_cast<std::uint32_t>(thread % 2 == 0 ? sum : sum >> 32);
    } else {
      constexpr unsigned kBits = 8 * sizeof(Word), kShared = 32 / kBits;
      std::uint32_t word = 0;
      for (unsigned i = 0; i < kShared; ++i) {
        word |= std::uint32_t{static_cast<Word>(__shfl_sync(~0u, mine, kShared * thread + i))} << (kBits * i);
      }
      return word;
    }
  }
  __device__ static void add_carry(Carry& sum, const TileDescriptor (&found)[kDescriptors]) {
#pragma unroll
    for (unsigned k = 0; k < Order; ++k) {
      constexpr unsigned kBytes = sizeof(Word);
      const unsigned at = k * kBytes / 4, shift = k * kBytes % 4 * 8;
      const std::uint32_t word = found[at / kPayloadWords].payload[at % kPayloadWords];
      Total term = static_cast<Word>(word >> shift);
      if constexpr (sizeof(Word) == 8) {
        term |= Total{found[(at + 1) / kPayloadWords].payload[(at + 1) % kPayloadWords]} << 32;
      }
      sum.term[k] += term;
    }
  }

  /// Forward progress: an atomic counter hands out the tiles, so every tile before this one belongs to a
  /// block that already runs. Before such a block publishes that tile, it waits only for its own loads and
  /// stores, and for the look-backs of its earlier tiles, which ask for smaller tiles only. So the smallest
  /// tile that is not yet published is always published in the end, and this wait ends: in any launch order,
  /// and with a single resident block.
  __device__ void collect_together(Carry& sum, std::uint32_t end, std::uint32_t count, unsigned lane) const {
    unsigned missing = 0;
    for (unsigned r = 0; r < kReach; ++r) missing |= (distance(r) <= count ? 1u : 0u) << r;
    while (__any_sync(~0u, missing != 0)) {
      TileDescriptor found[kReach][kDescriptors];
#pragma unroll
      for (unsigned r = 0; r < kReach; ++r) {
        if ((missing >> r & 1) != 0) read(end - distance(r), lane, found[r]);
      }
#pragma unroll
      for (unsigned r = 0; r < kReach; ++r) {
        if ((missing >> r & 1) == 0 || !is_published(found[r])) continue;
        add_carry(sum, found[r]);
        missing &= ~(1u << r);
      }
    }
  }
  /// The warp's tiles before `end`, as far as the nearest sum. Returns whether there was one. This wait ends
  /// for the same reason.
  __device__ bool collect_window(Carry& sum, std::uint32_t first, std::uint32_t end, unsigned lane) const {
    const unsigned thread = threadIdx.x % kWarp;
    const bool exists = thread < end - first;
    TileDescriptor found[kDescriptors] = {};
    std::uint32_t status = 0;
    unsigned sums = 0, needed = 0;
    do {
      if (exists && status != kPublishedSum) {
        read(end - 1 - thread, lane, found);
        status = status_of(found);
      }
      sums = __ballot_sync(~0u, status == kPublishedSum);
      needed = sums == 0 ? ~0u : sums ^ (sums - 1);  // up to the nearest one
    } while (__any_sync(~0u, exists && status == 0 && (needed >> thread & 1) != 0));
    if (exists && (needed >> thread & 1) != 0) add_carry(sum, found);
    return sums != 0;
  }
  /// Zero while a tile's descriptors are not all of one kind.
  __device__ static std::uint32_t status_of(const TileDescriptor (&found)[kDescriptors]) {
    bool same = true;
#pragma unroll
    for (unsigned c = 1; c < kDescriptors; ++c) same = same && found[c].status == found[0].status;
    return same ? found[0].status : 0;
  }
  __device__ static unsigned distance(unsigned reach) {
    return reach * kWarp + threadIdx.x % kWarp + 1;
  }
  __device__ void read(std::uint32_t tile, unsigned lane, TileDescriptor (&found)[kDescriptors]) const {
#pragma unroll
    for (unsigned c = 0; c < kDescriptors; ++c)
      found[c] = load_descriptor(states_.at(lane, c, kDescriptors, tile));
  }
  __device__ static bool is_published(const TileDescriptor (&found)[kDescriptors]) {
    std::uint32_t all = kPublished;
#pragma unroll
    for (unsigned c = 0; c < kDescriptors; ++c) all &= found[c].status;
    return all != 0;
  }

  /// The sums of all threads' terms: order k for thread k, zero for the other threads. Each exchange halves
  /// the number of terms that a thread still holds.
  __device__ static Total in_warp(Carry sum) {
    const unsigned thread = threadIdx.x % kWarp;
#pragma unroll
    for (unsigned half = kTerms / 2; half > 0; half /= 2) {
      const bool upper = (thread & half) != 0;
#pragma unroll
      for (unsigned i = 0; i < half; ++i) {
        const Total mine = upper ? sum.term[i + half] : sum.term[i];
        const Total theirs = upper ? sum.term[i] : sum.term[i + half];
        sum.term[i] = mine + __shfl_xor_sync(~0u, theirs, half);
      }
    }
    for (unsigned mask = kTerms; mask < kWarp; mask *= 2) {
      sum.term[0] += __shfl_xor_sync(~0u, sum.term[0], mask);
    }
    return thread < Order ? sum.term[0] : 0;
  }

  TileStates states_;
};

}  // namespace tdz::cuda
