// SPDX-License-Identifier: Apache-2.0
// Look-back for carries of all orders at once, after decoupled look-back (Merrill and Garland, "Single-pass
// Parallel Prefix Scan with Decoupled Look-back", NVR-2016-002) and SAM's running carry (Maleki, Yang,
// Burtscher, PLDI 2016). The protocol only: it knows neither tiles nor how a block came to its sums.
//
// A post is a step of a chain. It shows its aggregate, a carry placed at the post's own start. A block that
// goes from post to post knows the sum up to its last one, so for the next it needs only what others showed
// since:
//
//     enters t  =  advance(sum up to p, (t - p) length) + sum over p < j < t of advance(shown by j, (t - j)
//     length)
//
// No sum of a block depends on a sum of another, only on aggregates, and those are shown before anything is
// waited for: latency does not add up from post to post. Blocks in step find one post each between p and t; a
// warp asks for 32 * kReach of them at once. Sums mod 2^w use every bit, so a mark travels beside the
// payload, in one 16-byte transaction: no fence, and one round trip for both.
#pragma once

#include <cuda_runtime.h>

#include "kernels/cuda/look_back_space.hpp"
#include "kernels/cuda/tile_scan.hpp"

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
  using Carry = Polynomial<Total, Order>;
  static constexpr unsigned kCells = carry_cells(sizeof(Word), Order);
  using Weights = Total[Order][kLookWindow];

  __device__ LookBack(const Board& board, const Weights& weights) : board_(board), weights_(weights) {}

  /// All threads of a block, before a barrier: weights[.][d - 1] moves over d posts of `length` lane steps.
  __device__ static void make_weights(Weights& weights, std::uint64_t length) {
    for (unsigned d = threadIdx.x; d < kLookWindow; d += blockDim.x) {
      const Carry weight = advance_weights<Total, Order>((d + 1) * length);
      for (unsigned k = 0; k < Order; ++k) weights[k][d] = weight.term[k];
    }
  }

  /// Shows a post's aggregate. A whole warp calls; its thread k brings order k.
  __device__ void show(std::uint32_t post, unsigned lane, Total mine) const {
    const std::uint32_t word = payload_word(mine);
    const unsigned thread = threadIdx.x % kWarp;
    Cell cell{1, {}};
    for (unsigned i = 0; i < kCellWords; ++i) cell.word[i] = __shfl_sync(~0u, word, kCellWords * thread + i);
    if (thread < kCells) put_cell(board_.cell(lane, thread, kCells, post), cell);
  }

  /// The carry that enters post `post`, if `start` is the inclusive sum of post first - 1: zero for the first
  /// post of a chain, or what a block knows of an earlier one. A whole warp calls.
  __device__ Carry enter(std::uint32_t first, const Carry& start, std::uint32_t post, unsigned lane) const {
    const std::uint32_t between = post - first;
    Carry sum;  // of this thread's posts, at the near end of the window, which comes nearer
    for (std::uint32_t window = between / kLookWindow + 1; window-- > 0;) {
      const std::uint32_t skipped = window * kLookWindow;
      const bool farthest = between - skipped < kLookWindow;
      if (!farthest) sum = multiply(sum, over_window());
      const unsigned count = farthest ? between - skipped : kLookWindow;
      if (farthest && threadIdx.x % kWarp == 0) sum = moved(start, weights_, count);
      collect(sum, post - skipped, count, lane);
    }
    return in_warp(sum);
  }

 private:
  /// Posts that a thread asks for together: what their cells take in registers.
  static constexpr unsigned kReach = kCells <= 2 ? 5 : kCells == 3 ? 3 : 2;

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
  __device__ static Carry carry_of(const Cell (&cell)[kCells]) {
    Carry carry;
#pragma unroll
    for (unsigned k = 0; k < Order; ++k) {
      const unsigned at = k * sizeof(Word) / 4, shift = k * sizeof(Word) % 4 * 8;
      const std::uint32_t word = cell[at / kCellWords].word[at % kCellWords];
      carry.term[k] = static_cast<Word>(word >> shift);
      if constexpr (sizeof(Word) == 8) {
        carry.term[k] |= Total{cell[(at + 1) / kCellWords].word[(at + 1) % kCellWords]} << 32;
      }
    }
    return carry;
  }

  /// Adds what posts from - 1, ..., from - count show. Precondition: count <= kLookWindow.
  __device__ void collect(Carry& sum, std::uint32_t from, unsigned count, unsigned lane) const {
    for (unsigned done = 0; done < count; done += kReach * kWarp)
      collect_together(sum, from, done, count, lane);
  }

  /// Forward progress: posts are handed out by an atomic counter, so every post before this one belongs to a
  /// block that already runs, and that block shows the post's aggregate before it waits for anything but its
  /// own loads. Hence the wait ends whatever the order of launch, and with a single resident block.
  __device__ void collect_together(Carry& sum, std::uint32_t from, unsigned done, unsigned count,
                                   unsigned lane) const {
    unsigned missing = 0;
    for (unsigned r = 0; r < kReach; ++r) missing |= (distance(done, r) <= count ? 1u : 0u) << r;
    while (__any_sync(~0u, missing != 0)) {
      Cell cell[kReach][kCells];
#pragma unroll
      for (unsigned r = 0; r < kReach; ++r) {
        if ((missing >> r & 1) != 0) read(from - distance(done, r), lane, cell[r]);
      }
#pragma unroll
      for (unsigned r = 0; r < kReach; ++r) {
        if ((missing >> r & 1) == 0 || !is_shown(cell[r])) continue;
        sum = add(sum, moved(carry_of(cell[r]), weights_, distance(done, r) - 1));
        missing &= ~(1u << r);
      }
    }
  }
  __device__ static unsigned distance(unsigned done, unsigned reach) {
    return done + reach * kWarp + threadIdx.x % kWarp + 1;
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

  __device__ static Carry in_warp(Carry sum) {
    for (unsigned k = 0; k < Order; ++k) {
      for (unsigned mask = kWarp / 2; mask > 0; mask /= 2)
        sum.term[k] += __shfl_xor_sync(~0u, sum.term[k], mask);
    }
    return sum;
  }
  __device__ Carry over_window() const {
    Carry weight;
    for (unsigned k = 0; k < Order; ++k) weight.term[k] = weights_[k][kLookWindow - 1];
    return weight;
  }

  Board board_;
  const Weights& weights_;
};

}  // namespace tdz::cuda
