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
#include "kernels/cuda/tile/scan_job.hpp"
#include "kernels/cuda/tile/tile_plan.hpp"

namespace tdz::cuda {

// ---- The weights that move a carry between the first row of a chunk and the first row of a tile: (1 - x)^-m
// forward, (1 - x)^m back, over m lane steps. A warp computes them for tile after tile, each from the weights
// before it, with one product for every bit of the distance. Its threads hold the terms, its half-warps the
// two directions.

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

// ---- The protocol

/// A status; zero before.
inline constexpr std::uint32_t kPublished = 1;
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

  /// Publishes a tile's aggregate, moved back to the chunk's first row. A whole warp calls; its thread k
  /// brings order k, the other threads zero.
  __device__ void publish(std::uint32_t tile, unsigned lane, Total aggregate, const Weights& weights) const {
    const Total placed =
        product_in_half_warps<Total, Order>(aggregate, own_term<Total, Order>(weights[kBack]));
    const std::uint32_t word = payload_word(placed);
    const unsigned thread = threadIdx.x % kWarp;
    TileDescriptor own{kPublished, {}};
    for (unsigned i = 0; i < kPayloadWords; ++i)
      own.payload[i] = __shfl_sync(~0u, word, kPayloadWords * thread + i);
    if (thread < kDescriptors) store_descriptor(states_.at(lane, thread, kDescriptors, tile), own);
  }

  /// The sum of what tiles first, ..., end - 1 publish, placed at the chunk's first row. A whole warp calls;
  /// its thread k gets order k, the other threads zero.
  __device__ Total collect(std::uint32_t first, std::uint32_t end, unsigned lane) const {
    Carry sum;
    for (std::uint32_t done = 0; done < end - first; done += kReach * kWarp) {
      collect_together(sum, end - done, end - first - done, lane);
    }
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
