// SPDX-License-Identifier: Apache-2.0
// Look-back for carries of all orders at once, after decoupled look-back (Merrill and Garland, "Single-pass
// Parallel Prefix Scan with Decoupled Look-back", NVR-2016-002) and SAM's running carry (Maleki, Yang,
// Burtscher, PLDI 2016). The protocol only: it knows neither tiles nor how a block came to its sums.
//
// A post is a step of a chain. It shows its aggregate placed at the chain's first row: moved back by all the
// lane steps before it. Placed aggregates simply add, so for a block that goes from post to post
//
//     enters t  =  onward(placed t),   placed t  =  placed p + sum over p <= j < t of shown by j
//
// where p is the post that it was at before. Weighing costs two products a lane and post, however many posts
// others showed in between.
//
// No sum of a block depends on a sum of another, only on aggregates, and those are shown before anything is
// waited for: latency does not add up from post to post. Blocks in step find one post each between p and t; a
// warp asks for 32 * kReach of them at once. Sums mod 2^w use every bit, so a mark travels beside the
// payload, in one 16-byte transaction: no fence, and one round trip for both.
#pragma once

#include <cuda_runtime.h>

#include <bit>

#include "kernels/cuda/integrate/look_back_space.hpp"
#include "kernels/cuda/integrate/post_weights.cuh"

namespace tdz::cuda {

/// The mark and the payload of a cell; no mark, not shown.
struct Cell {
  std::uint32_t mark, word[kCellWords];
};

/// Cells of a launch, zeroed before it. Posts are the fast index: a warp reads neighbours.
struct Board {
  uint4* cells = nullptr;
  std::uint32_t posts = 0;

  __device__ uint4* cell(unsigned lane, unsigned part, unsigned parts, std::uint32_t post) const {
    return cells + (std::uint64_t{lane} * parts + part) * posts + post;
  }
};

// 128-bit accesses of one thread are single-copy atomic as .b128 (PTX ISA, from compute capability 7.0 on).
__device__ inline void put_cell(uint4* at, const Cell& cell) {
  asm volatile(
      "{\n .reg .b128 whole;\n .reg .b64 low, high;\n"
      "mov.b64 low, {%1, %2};\n mov.b64 high, {%3, %4};\n mov.b128 whole, {low, high};\n"
      "st.relaxed.gpu.global.b128 [%0], whole;\n}" ::"l"(at),
      "r"(cell.mark), "r"(cell.word[0]), "r"(cell.word[1]), "r"(cell.word[2])
      : "memory");
}
__device__ inline Cell look_at(const uint4* at) {
  Cell cell;
  asm volatile(
      "{\n .reg .b128 whole;\n .reg .b64 low, high;\n"
      "ld.relaxed.gpu.global.b128 whole, [%4];\n"
      "mov.b128 {low, high}, whole;\n mov.b64 {%0, %1}, low;\n mov.b64 {%2, %3}, high;\n}"
      : "=r"(cell.mark), "=r"(cell.word[0]), "=r"(cell.word[1]), "=r"(cell.word[2])
      : "l"(at)
      : "memory");
  return cell;
}

template <class Word, unsigned Order>
class LookBack {
 public:
  using Total = Sum<Word>;
  static constexpr unsigned kCells = carry_cells(sizeof(Word), Order);
  using Weights = PostWeights<Total, Order>;

  __device__ explicit LookBack(const Board& board) : board_(board) {}

  /// Shows a post's aggregate. A whole warp calls; its thread k brings order k, others zero.
  __device__ void show(std::uint32_t post, unsigned lane, Total aggregate, const Weights& weights) const {
    const Total placed =
        product_in_half_warps<Total, Order>(aggregate, own_term<Total, Order>(weights[kBack]));
    const std::uint32_t word = payload_word(placed);
    const unsigned thread = threadIdx.x % kWarp;
    Cell cell{1, {}};
    for (unsigned i = 0; i < kCellWords; ++i) cell.word[i] = __shfl_sync(~0u, word, kCellWords * thread + i);
    if (thread < kCells) put_cell(board_.cell(lane, thread, kCells, post), cell);
  }

  /// The sum of what posts first, ..., end - 1 show, placed at the chain's first row. A whole warp calls; its
  /// thread k gets order k, others zero.
  __device__ Total collect(std::uint32_t first, std::uint32_t end, unsigned lane) const {
    Carry sum;
    for (std::uint32_t done = 0; done < end - first; done += kReach * kWarp) {
      collect_together(sum, end - done, end - first - done, lane);
    }
    return in_warp(sum);
  }

  /// What is placed at the chain's first row, at the post's start. A whole warp calls, as for show.
  __device__ static Total onward(Total placed, const Weights& weights) {
    return product_in_half_warps<Total, Order>(placed, own_term<Total, Order>(weights[kOnward]));
  }

 private:
  static constexpr unsigned kTerms = std::bit_ceil(Order);
  using Carry = Polynomial<Total, kTerms>;  ///< with zeros up to a power of two

  /// Posts that a thread asks for together. Five ask for all that blocks in step show in one round, and
  /// rounds are what a look-back lasts; but cells on their way take registers, and one that spills costs
  /// more.
  static constexpr unsigned kReach = Order * sizeof(Word) <= 40 ? 5 : 3;

  /// Thread p's word of the carry whose order k is thread k's.
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
  __device__ static void add_carry(Carry& sum, const Cell (&cell)[kCells]) {
#pragma unroll
    for (unsigned k = 0; k < Order; ++k) {
      const unsigned at = k * sizeof(Word) / 4, shift = k * sizeof(Word) % 4 * 8;
      const std::uint32_t word = cell[at / kCellWords].word[at % kCellWords];
      Total term = static_cast<Word>(word >> shift);
      if constexpr (sizeof(Word) == 8) {
        term |= Total{cell[(at + 1) / kCellWords].word[(at + 1) % kCellWords]} << 32;
      }
      sum.term[k] += term;
    }
  }

  /// Forward progress: posts are handed out by an atomic counter, so every post before this one belongs to a
  /// block that already runs. Before it shows that post, such a block waits for its own mover, and for the
  /// look-backs of its earlier posts, which ask for smaller posts only. So the smallest post not shown yet
  /// always comes to be shown, and the wait ends whatever the order of launch, and with a single resident
  /// block.
  __device__ void collect_together(Carry& sum, std::uint32_t end, std::uint32_t count, unsigned lane) const {
    unsigned missing = 0;
    for (unsigned r = 0; r < kReach; ++r) missing |= (distance(r) <= count ? 1u : 0u) << r;
    while (__any_sync(~0u, missing != 0)) {
      Cell cell[kReach][kCells];
#pragma unroll
      for (unsigned r = 0; r < kReach; ++r) {
        if ((missing >> r & 1) != 0) read(end - distance(r), lane, cell[r]);
      }
#pragma unroll
      for (unsigned r = 0; r < kReach; ++r) {
        if ((missing >> r & 1) == 0 || !is_shown(cell[r])) continue;
        add_carry(sum, cell[r]);
        missing &= ~(1u << r);
      }
    }
  }
  __device__ static unsigned distance(unsigned reach) {
    return reach * kWarp + threadIdx.x % kWarp + 1;
  }
  __device__ void read(std::uint32_t post, unsigned lane, Cell (&cell)[kCells]) const {
#pragma unroll
    for (unsigned c = 0; c < kCells; ++c) cell[c] = look_at(board_.cell(lane, c, kCells, post));
  }
  __device__ static bool is_shown(const Cell (&cell)[kCells]) {
    std::uint32_t all = 1;
#pragma unroll
    for (unsigned c = 0; c < kCells; ++c) all &= cell[c].mark;
    return all != 0;
  }

  /// Sums of all threads' terms, order k to thread k, zero to those beyond: each exchange halves the terms
  /// that a thread still has to do with.
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

  Board board_;
};

}  // namespace tdz::cuda
