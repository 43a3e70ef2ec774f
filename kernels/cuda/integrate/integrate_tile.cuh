// SPDX-License-Identifier: Apache-2.0
// The phases of integrating a tile, shared by the streaming and the look-back kernel: load / scan / carry /
// store.
#pragma once

#include "kernels/cuda/tile/tile_block.cuh"
#include "kernels/cuda/tile/tile_views.hpp"

namespace tdz::cuda {

template <class Sum, unsigned Order, unsigned Rows>
__device__ constexpr MoveTable<Sum, Order, Rows> kMoves = make_move_table<Sum, Order, Rows>();

/// One block at work on tiles of one plan. Order and rows are compiled in: the sums live in registers.
template <class Word, unsigned Order, unsigned Rows, unsigned Totals>
class TileIntegrator : public TileBlock<Word, Order, Totals> {
  using Base = TileBlock<Word, Order, Totals>;

 public:
  using typename Base::Carry, typename Base::Total;
  using Held = Carry;  ///< what a thread keeps of a tile from its scan to its values

  __device__ TileIntegrator(const TilePlan& plan, std::byte* shared)
      : Base(plan, shared), seat_(seat(plan.shape, threadIdx.x)) {}

  // Load.
  /// Waits for the tile and, for bit planes, puts its words together. A buffer must be free.
  __device__ void finish_load(unsigned turn, const OpenChunk& chunk, std::uint64_t row) const {
    loader_.wait(turn);
    if (plan_.steps.layout != Layout::bit_planes) return;
    gather_bits(turn, chunk, row);
    crew_sync(plan_.shape.threads());  // publishes the gathered words
  }

  // Scan. Returns what lies before this thread's segment in its warp; leaves the warps' totals in shared
  // memory, and in the tile the residuals, undone of layout and zigzag.
  __device__ Carry scan(unsigned turn, const OpenChunk& chunk, std::uint64_t row) const {
    return leave_total(turn, summarise_segment(turn, chunk, row));
  }

  // Store. Turns this segment's residuals into values, after the barrier that publishes the totals.
  // entering(k, lane) is order k of the carry that enters the tile, placed at its first row;
  // leaving(lane, carry) is told the carry at its end.
  template <class Entering, class Leaving>
  __device__ void write_values(unsigned turn, const Held& before_in_warp, const Entering& entering,
                               const Leaving& leaving) const {
    Carry carry = start_state(turn, before_in_warp, entering);
    if (plan_.shape.tuple == 1) {
      integrate_segment<Total, Order, Rows>(packed_view(turn, Plain{}), carry);
    } else {
      integrate_segment<Total, Order, Rows>(word_view(turn, Plain{}), carry);
    }
    finish_values(carry, leaving);
  }

 protected:
  using Base::loader_, Base::plan_, Base::tile, Base::total;
  /// Only in a look-back: streams hold them in registers (PlaneTiles).
  static constexpr bool kMeetsDensePlanes = Totals == 3;
  Seat seat_;

  /// The scan's second half, from the segment's own summary.
  __device__ Carry leave_total(unsigned turn, const Carry& summary) const {
    const Carry upto = sum_in_warp(moved(summary, kMoves<Total, Order, Rows>.back, seat_.segment));
    if (threadIdx.x % kWarp >> plan_.shape.side == (kWarp >> plan_.shape.side) - 1) {
      for (unsigned k = 0; k < Order; ++k) total(turn, k, seat_.strand, seat_.lane) = upto.term[k];
    }
    return before_in_warp(upto);
  }
  /// The carry at the start of this segment.
  template <class Entering>
  __device__ Carry start_state(unsigned turn, Carry before, const Entering& entering) const {
    for (unsigned strand = 0; strand < seat_.strand; ++strand) {
      for (unsigned k = 0; k < Order; ++k) before.term[k] += total(turn, k, strand, seat_.lane);
    }
    for (unsigned k = 0; k < Order; ++k) before.term[k] += entering(k, seat_.lane);
    return moved(before, kMoves<Total, Order, Rows>.forward, seat_.segment);
  }
  template <class Leaving>
  __device__ void finish_values(const Carry& carry, const Leaving& leaving) const {
    publish_to_copies();
    if (seat_.segment == plan_.shape.segments() - 1) leaving(seat_.lane, carry);
  }

  __device__ Word* segment(unsigned turn) const {
    return reinterpret_cast<Word*>(tile(turn)) + seat_.segment * Rows * plan_.shape.tuple + seat_.lane;
  }
  template <class Code>
  __device__ WordView<Word, Code> word_view(unsigned turn, Code code) const {
    return {segment(turn), plan_.shape.tuple, code};
  }
  template <class Code>
  __device__ PackedView<Word, Code> packed_view(unsigned turn, Code code) const {
    return {reinterpret_cast<Total*>(segment(turn)), code};
  }

  /// Run-time tuple, layout and zigzag become types here.
  __device__ Carry summarise_segment(unsigned turn, const OpenChunk& chunk, std::uint64_t row) const {
    const Layout layout = plan_.steps.layout;
    const MaybeZigzag code{plan_.steps.zigzag ? 1u : 0u};
    const bool single = plan_.shape.tuple == 1;
    if constexpr (kMeetsDensePlanes) {
      if (layout == Layout::tuple_planes)
        return summarise<Total, Order, Rows>(planes(turn, chunk, row, Dense{}), word_view(turn, Plain{}));
      if (sizeof(Word) > 1 && layout == Layout::planes && single)
        return summarise<Total, Order, Rows>(planes(turn, chunk, row, Dense{}), packed_view(turn, Plain{}));
    }
    if (sizeof(Word) > 1 && layout == Layout::planes)  // planes of single bytes would be the bytes
      return summarise<Total, Order, Rows>(planes(turn, chunk, row, Strided{plan_.shape.tuple}),
                                           word_view(turn, Plain{}));
    if (code.on != 0 && single) {
      return summarise<Total, Order, Rows>(packed_view(turn, code), packed_view(turn, Plain{}));
    }
    if (code.on != 0) return summarise<Total, Order, Rows>(word_view(turn, code), word_view(turn, Plain{}));
    if (single) return summarise<Total, Order, Rows>(packed_view(turn, Plain{}), Nowhere{});
    return summarise<Total, Order, Rows>(word_view(turn, Plain{}), Nowhere{});
  }
  template <class Bytes>
  __device__ PlaneSource<Word, Bytes> planes(unsigned turn, const OpenChunk& chunk, std::uint64_t row,
                                             Bytes bytes) const {
    PlaneSource<Word, Bytes> source{{}, bytes, {plan_.steps.zigzag ? 1u : 0u}};
    find_planes<Word>(chunk.residuals, slots(turn), plan_.slot_in, row, seat_, Rows, source.plane);
    return source;
  }
  __device__ std::uint8_t* slots(unsigned turn) const {
    return reinterpret_cast<std::uint8_t*>(loader_.stage(turn));
  }

 private:
  __device__ Carry sum_in_warp(Carry sum) const {
    const unsigned lane = threadIdx.x % kWarp;
    for (unsigned distance = 1u << plan_.shape.side; distance < kWarp; distance *= 2) {
      for (unsigned k = 0; k < Order; ++k) {
        const Total other = __shfl_up_sync(~0u, sum.term[k], distance);
        sum.term[k] += lane >= distance ? other : 0;
      }
    }
    return sum;
  }
  /// From the thread before, so that nothing but the sum has to be kept.
  __device__ Carry before_in_warp(Carry upto) const {
    const unsigned lane = threadIdx.x % kWarp, distance = 1u << plan_.shape.side;
    for (unsigned k = 0; k < Order; ++k) {
      const Total before = __shfl_up_sync(~0u, upto.term[k], distance);
      upto.term[k] = lane >= distance ? before : 0;
    }
    return upto;
  }

  /// Bit planes to words, eight words a thread; the chunk's last words % 8 words lie in memory as they are.
  __device__ void gather_bits(unsigned turn, const OpenChunk& chunk, std::uint64_t row) const {
    const std::uint64_t n = chunk.residuals.words, first = row * plan_.shape.tuple;
    Word* to = reinterpret_cast<Word*>(tile(turn));
    for (std::uint32_t eight = threadIdx.x; eight < plan_.shape.tile_words() / 8;
         eight += plan_.shape.threads()) {
      if (first + 8 * eight + 8 <= n)
        gather_eight(n / 8, first / 8, loader_.stage(turn) + eight, to + 8 * eight);
    }
    const std::uint64_t loose = n - n % 8 + threadIdx.x;
    if (threadIdx.x < 8 && loose < n && loose >= first && loose - first < plan_.shape.tile_words()) {
      to[loose - first] = reinterpret_cast<const Word*>(chunk.task.in)[loose];
    }
  }
  /// Planes of `plane_bytes`, of which the tile's part begins at `begin`; `stage` points at this thread's
  /// byte.
  __device__ void gather_eight(std::uint64_t plane_bytes, std::uint64_t begin, const std::byte* stage,
                               Word* to) const {
    const auto apart = static_cast<unsigned>(plane_bytes % kGranule),
               offset = static_cast<unsigned>(begin % kGranule);
    Word word[8] = {};
    for (unsigned b = 0; b < sizeof(Word); ++b) {
      std::uint64_t bits = 0;
      for (unsigned j = 0; j < 8; ++j) {
        const unsigned plane = 8 * b + j;
        const std::byte byte = stage[plane * plan_.slot_in + (plane * apart + offset) % kGranule];
        bits |= std::uint64_t{static_cast<std::uint8_t>(byte)} << (8 * j);
      }
      bits = transpose8x8(bits);
      for (unsigned i = 0; i < 8; ++i)
        word[i] |= static_cast<Word>(Word((bits >> (8 * i)) & 0xFF) << (8 * b));
    }
    for (unsigned i = 0; i < 8; ++i) to[i] = word[i];
  }
};

}  // namespace tdz::cuda
