// SPDX-License-Identifier: Apache-2.0
// Decoupled look-back (Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back",
// NVR-2016-002), for carries of all orders at once. The protocol only: it knows neither tiles nor words.
//
// A post is a step of a chain. It shows first its aggregate and later its inclusive sum, each as a carry
// placed at the post's own start. The sum that enters post t is  sum over d >= 1 of advance(shown by t - d, d
// * length),  up to and including the nearest post that shows an inclusive sum; the start of a chain shows
// zero. A block that goes from post to post knows the inclusive sum of its last one without looking, and in step with
// the others it needs from them no more than the aggregates since: no chain of waits runs from block to block. A warp looks at 32 * kReach posts at once, each weighted by its distance from a table; sums mod 2^w
// use every bit, so a state has 32 bits of its own beside 32 bits of payload, and the two travel in one
// 8-byte transaction: no fence, and one round trip for state and payload.
#pragma once

#include <cuda_runtime.h>

#include "kernels/cuda/tile_scan.hpp"

namespace tdz::cuda {

enum class Shown : std::uint32_t { nothing = 0, aggregate = 1, inclusive = 2 };

/// Posts of a launch, zeroed before it. Posts are the fast index: a warp reads neighbours.
struct Board {
  std::uint64_t* entries = nullptr;
  std::uint32_t posts = 0;

  __device__ std::uint64_t* entry(unsigned lane, unsigned part, unsigned parts, std::uint32_t post) const {
    return entries + (std::uint64_t{lane} * parts + part) * posts + post;
  }
};

__device__ inline void show(std::uint64_t* entry, Shown shown, std::uint32_t payload) {
  const std::uint64_t both = std::uint64_t{static_cast<std::uint32_t>(shown)} << 32 | payload;
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(entry), "l"(both) : "memory");
}
__device__ inline std::uint64_t look_at(const std::uint64_t* entry) {
  std::uint64_t both;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(both) : "l"(entry) : "memory");
  return both;
}
__device__ constexpr Shown shown_in(std::uint64_t both) {
  return static_cast<Shown>(both >> 32);
}

template <class Sum, unsigned Order>
class LookBack {
 public:
  using Carry = Polynomial<Sum, Order>;
  static constexpr unsigned kHalves = sizeof(Sum) / 4;  ///< 32-bit payloads of a sum
  static constexpr unsigned kParts = Order * kHalves;   ///< entries of a carry
  static constexpr unsigned kReach = kParts <= 2   ? 4
                                     : kParts <= 8 ? 2
                                                   : 1;  ///< posts a thread looks at together
  static constexpr unsigned kWindow = kReach * kWarp;
  using Weights = Sum[Order][kWindow];

  __device__ LookBack(const Board& board, const Weights& weights) : board_(board), weights_(weights) {}

  /// All threads of a block, before a barrier: weights[.][d - 1] moves over d posts of `length` lane steps.
  __device__ static void make_weights(Weights& weights, std::uint64_t length) {
    for (unsigned d = threadIdx.x; d < kWindow; d += blockDim.x) {
      const Carry weight = advance_weights<Sum, Order>((d + 1) * length);
      for (unsigned k = 0; k < Order; ++k) weights[k][d] = weight.term[k];
    }
  }

  /// One part by each of the first kParts threads of a warp; `sum` is order part / kHalves of the carry.
  __device__ void show_part(std::uint32_t post, unsigned lane, unsigned part, Shown shown, Sum sum) const {
    const unsigned shift = part % kHalves * 32 % (8 * sizeof(Sum));
    show(board_.entry(lane, part, kParts, post), shown, static_cast<std::uint32_t>(sum >> shift));
  }

  /// The carry that enters post `post`, if post first - 1 would show the inclusive sum `start`: zero for the first post
  /// of a chain, or what a block knows itself of an earlier post. A whole warp calls.
  __device__ Carry enter(std::uint32_t first, const Carry& start, std::uint32_t post, unsigned lane) const {
    Carry entering, scale;
    scale.term[0] = 1;
    for (std::uint32_t from = post;; from -= kWindow) {
      Carry window;
      const bool complete = look(first, start, from, lane, window);
      entering = add(entering, multiply(in_warp(window), scale));
      if (complete) return entering;
      scale = multiply(scale, over_window());
    }
  }

 private:
  struct View {
    Carry carry;
    Shown shown = Shown::nothing;
  };

  /// Adds up what posts from - 1, from - 2, ... show, up to the nearest inclusive sum; tells whether there
  /// was one.
  __device__ bool look(std::uint32_t first, const Carry& start, std::uint32_t from, unsigned lane,
                       Carry& window) const {
    View seen[kReach];
    wait_for(first, start, from, lane, seen);
    const unsigned thread = threadIdx.x % kWarp;
    bool complete = false;
#pragma unroll
    for (unsigned reach = 0; reach < kReach; ++reach) {
      const unsigned ends = __ballot_sync(~0u, seen[reach].shown == Shown::inclusive);
      const unsigned nearest = ends == 0 ? kWarp : __ffs(static_cast<int>(ends)) - 1;
      if (!complete && thread <= nearest) {
        window = add(window, moved(seen[reach].carry, weights_, reach * kWarp + thread));
      }
      complete = complete || ends != 0;
    }
    return complete;
  }

  /// Forward progress: posts are handed out by an atomic counter, so every post before this one belongs to a
  /// block that already runs, and that block shows the post's aggregate before it waits for anything but its
  /// own loads. Hence the wait ends whatever the order of launch, and with a single resident block.
  __device__ void wait_for(std::uint32_t first, const Carry& start, std::uint32_t from, unsigned lane,
                           View (&seen)[kReach]) const {
    for (bool ready = false; __any_sync(~0u, !ready);) {
      ready = true;
#pragma unroll
      for (unsigned reach = 0; reach < kReach; ++reach) {
        if (seen[reach].shown != Shown::nothing) continue;
        seen[reach] = view(first, start, from, reach * kWarp + threadIdx.x % kWarp + 1, lane);
        ready = ready && seen[reach].shown != Shown::nothing;
      }
    }
  }

  /// What the post `distance` before `from` shows; nothing while its parts differ in state.
  __device__ View view(std::uint32_t first, const Carry& start, std::uint32_t from, std::uint32_t distance,
                       unsigned lane) const {
    if (from < first + distance) return {start, Shown::inclusive};
    std::uint64_t part[kParts];
    for (unsigned p = 0; p < kParts; ++p) part[p] = look_at(board_.entry(lane, p, kParts, from - distance));
    View seen{{}, shown_in(part[0])};
    for (unsigned p = 0; p < kParts; ++p) {
      if (shown_in(part[p]) != seen.shown) return {};
      seen.carry.term[p / kHalves] |= Sum{static_cast<std::uint32_t>(part[p])}
                                      << (p % kHalves * 32 % (8 * sizeof(Sum)));
    }
    return seen;
  }

  __device__ static Carry in_warp(Carry sum) {
    for (unsigned k = 0; k < Order; ++k) {
      for (unsigned mask = kWarp / 2; mask > 0; mask /= 2)
        sum.term[k] += __shfl_xor_sync(~0u, sum.term[k], mask);
    }
    return sum;
  }
  __device__ Carry over_window() const {
    Carry weight;
    for (unsigned k = 0; k < Order; ++k) weight.term[k] = weights_[k][kWindow - 1];
    return weight;
  }

  Board board_;
  const Weights& weights_;
};

}  // namespace tdz::cuda
