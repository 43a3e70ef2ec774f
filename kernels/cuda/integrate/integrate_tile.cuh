// SPDX-License-Identifier: Apache-2.0
// The phases of integrating a tile: load / scan / carry / store. The streaming kernel and the look-back
// kernel are made of them.
#pragma once

#include "kernels/cuda/integrate/segment_scan.cuh"
#include "kernels/cuda/tile/tile_block.cuh"
#include "kernels/cuda/tile/tile_views.hpp"

namespace tdz::cuda {

/// One block that works on tiles of one plan. Order and rows are compiled in, so that the sums stay in
/// registers.
template <class Word, unsigned Order, unsigned Rows, unsigned Totals, TileKind Kind = TileKind::any>
class TileIntegrator : public TileBlock<Word, Order, Totals> {
  using Base = TileBlock<Word, Order, Totals>;

 public:
  using typename Base::Carry, typename Base::Total;
  using Held = Carry;  ///< what a thread keeps of a tile from the scan to the store

  __device__ TileIntegrator(const TilePlan& plan, std::byte* shared)
      : Base(plan, shared), assigned_(assignment(plan.shape, threadIdx.x)) {}

  // Load.
  /// Waits for the tile. For bit planes, gathers its words into a buffer, which must be free.
  __device__ void finish_load(unsigned iteration, const OpenChunk& chunk, std::uint64_t row) const {
    loader_.wait(iteration);
    if (!kMeetsLayouts || plan_.steps.layout != Layout::bit_planes) return;
    gather_bits(iteration, chunk, row);
    sync_compute_warps(plan_.shape.threads());  // publishes the gathered words
  }

  // Scan. Returns the sum of all segments before this thread's segment in its warp. Leaves the warps' totals
  // in shared memory, and in the tile the residuals, with layout and zigzag undone.
  __device__ Carry scan(unsigned iteration, const OpenChunk& chunk, std::uint64_t row) const {
    return leave_total(iteration, summarise_segment(iteration, chunk, row));
  }

  // Carry and store. Computes the carry that enters this segment, and turns its residuals into values. Call
  // it after the barrier that publishes the totals. entering(k, lane) gives order k of the carry that enters
  // the tile, placed at its first row; leaving(lane, carry) takes the carry at its end.
  template <class Entering, class Leaving>
  __device__ void write_values(unsigned iteration, const Held& before_in_warp, const Entering& entering,
                               const Leaving& leaving) const {
    Carry carry = start_state(iteration, before_in_warp, entering);
    if (single()) {
      integrate_segment<Total, Order, Rows>(packed_view(iteration, Plain{}), carry);
    } else {
      integrate_segment<Total, Order, Rows>(word_view(iteration, Plain{}), carry);
    }
    finish_values(carry, leaving);
  }

 protected:
  using Base::loader_, Base::plan_, Base::tile, Base::total;
  static constexpr bool kMeetsLayouts = Kind != TileKind::several_interleaved_lanes;
  /// Only a look-back does; a stream keeps them in registers (PlaneTiles).
  static constexpr bool kMeetsDensePlanes = Totals == 3 && kMeetsLayouts;
  Assignment assigned_;

  /// The second half of the scan: from the segment's summary to the warp's total.
  __device__ Carry leave_total(unsigned iteration, const Carry& summary) const {
    const unsigned apart = 1u << plan_.shape.side;
    const Carry upto = sum_in_warp(moved(summary, kMoves<Total, Order, Rows>.back, assigned_.segment), apart);
    if (threadIdx.x % kWarp >> plan_.shape.side == (kWarp >> plan_.shape.side) - 1) {
      for (unsigned k = 0; k < Order; ++k)
        total(iteration, k, assigned_.strand, assigned_.lane) = upto.term[k];
    }
    return before_in_warp(upto, apart);
  }
  /// The carry at the start of this segment.
  template <class Entering>
  __device__ Carry start_state(unsigned iteration, Carry before, const Entering& entering) const {
    for (unsigned strand = 0; strand < assigned_.strand; ++strand) {
      for (unsigned k = 0; k < Order; ++k) before.term[k] += total(iteration, k, strand, assigned_.lane);
    }
    for (unsigned k = 0; k < Order; ++k) before.term[k] += entering(k, assigned_.lane);
    return moved(before, kMoves<Total, Order, Rows>.forward, assigned_.segment);
  }
  template <class Leaving>
  __device__ void finish_values(const Carry& carry, const Leaving& leaving) const {
    publish_to_copies();
    if (assigned_.segment == plan_.shape.segments() - 1) leaving(assigned_.lane, carry);
  }

  __device__ Word* segment(unsigned iteration) const {
    return reinterpret_cast<Word*>(tile(iteration)) + assigned_.segment * Rows * plan_.shape.tuple +
           assigned_.lane;
  }
  template <class Code>
  __device__ WordView<Word, Code> word_view(unsigned iteration, Code code) const {
    return {segment(iteration), plan_.shape.tuple, code};
  }
  template <class Code>
  __device__ PackedView<Word, Code> packed_view(unsigned iteration, Code code) const {
    return {reinterpret_cast<Total*>(segment(iteration)), code};
  }

  __device__ bool single() const {
    if constexpr (Kind == TileKind::one_lane) return true;
    return Kind == TileKind::any && plan_.shape.tuple == 1;
  }
  /// Turns run-time tuple, layout and zigzag into types.
  __device__ Carry summarise_segment(unsigned iteration, const OpenChunk& chunk, std::uint64_t row) const {
    const Layout layout = plan_.steps.layout;
    const MaybeZigzag code{plan_.steps.zigzag ? 1u : 0u};
    if constexpr (kMeetsDensePlanes) {
      if (layout == Layout::tuple_planes)
        return summarise<Total, Order, Rows>(planes(iteration, chunk, row, Dense{}),
                                             word_view(iteration, Plain{}));
      if (sizeof(Word) > 1 && layout == Layout::planes && single())
        return summarise<Total, Order, Rows>(planes(iteration, chunk, row, Dense{}),
                                             packed_view(iteration, Plain{}));
    }
    if (kMeetsLayouts && sizeof(Word) > 1 && layout == Layout::planes)  // planes of one byte are plain bytes
      return summarise<Total, Order, Rows>(planes(iteration, chunk, row, Strided{plan_.shape.tuple}),
                                           word_view(iteration, Plain{}));
    if (code.on != 0 && single()) {
      return summarise<Total, Order, Rows>(packed_view(iteration, code), packed_view(iteration, Plain{}));
    }
    if (code.on != 0)
      return summarise<Total, Order, Rows>(word_view(iteration, code), word_view(iteration, Plain{}));
    if (single()) return summarise<Total, Order, Rows>(packed_view(iteration, Plain{}), Nowhere{});
    return summarise<Total, Order, Rows>(word_view(iteration, Plain{}), Nowhere{});
  }
  template <class Bytes>
  __device__ PlaneSource<Word, Bytes> planes(unsigned iteration, const OpenChunk& chunk, std::uint64_t row,
                                             Bytes bytes) const {
    PlaneSource<Word, Bytes> source{{}, bytes, {plan_.steps.zigzag ? 1u : 0u}};
    find_planes<Word>(chunk.residuals, staged(iteration), plan_.piece_stride_in, row, assigned_, Rows,
                      source.plane);
    return source;
  }
  __device__ std::uint8_t* staged(unsigned iteration) const {
    return reinterpret_cast<std::uint8_t*>(loader_.stage(iteration));
  }

 private:
  /// From bit planes to words, eight words for each thread. The chunk's last words % 8 words are stored as
  /// words.
  __device__ void gather_bits(unsigned iteration, const OpenChunk& chunk, std::uint64_t row) const {
    const std::uint64_t n = chunk.residuals.words, first = row * plan_.shape.tuple;
    Word* to = reinterpret_cast<Word*>(tile(iteration));
    for (std::uint32_t eight = threadIdx.x; eight < plan_.shape.tile_words() / 8;
         eight += plan_.shape.threads()) {
      if (first + 8 * eight + 8 <= n)
        gather_eight(n / 8, first / 8, loader_.stage(iteration) + eight, to + 8 * eight);
    }
    const std::uint64_t loose = n - n % 8 + threadIdx.x;
    if (threadIdx.x < 8 && loose < n && loose >= first && loose - first < plan_.shape.tile_words()) {
      to[loose - first] = reinterpret_cast<const Word*>(chunk.task.in)[loose];
    }
  }
  /// Planes have `plane_bytes` bytes, and the tile's part begins at byte `begin` of each; `stage` points at
  /// this thread's byte of the first.
  __device__ void gather_eight(std::uint64_t plane_bytes, std::uint64_t begin, const std::byte* stage,
                               Word* to) const {
    const auto apart = static_cast<unsigned>(plane_bytes % kGranule),
               offset = static_cast<unsigned>(begin % kGranule);
    Word word[8] = {};
    for (unsigned b = 0; b < sizeof(Word); ++b) {
      std::uint64_t bits = 0;
      for (unsigned j = 0; j < 8; ++j) {
        const unsigned plane = 8 * b + j;
        const std::byte byte = stage[plane * plan_.piece_stride_in + (plane * apart + offset) % kGranule];
        bits |= std::uint64_t{static_cast<std::uint8_t>(byte)} << (8 * j);
      }
      bits = transpose8x8(bits);
      for (unsigned i = 0; i < 8; ++i)
        word[i] |= static_cast<Word>(Word((bits >> (8 * i)) & 0xFF) << (8 * b));
    }
    for (unsigned i = 0; i < 8; ++i) to[i] = word[i];
  }
};

/// Integrating a tile of dense planes. Each thread reads its segment into registers once; then the values
/// overwrite the planes. So shared memory holds twice as many tiles, and every byte of it is read once and
/// written once. The same interface as TileIntegrator. The segment's rows stay in registers from the scan to
/// the store.
template <class Word, unsigned Order, unsigned Rows, unsigned Totals>
class PlaneTiles : public TileIntegrator<Word, Order, Rows, Totals> {
  using Base = TileIntegrator<Word, Order, Rows, Totals>;
  using Base::loader_, Base::plan_;

 public:
  using typename Base::Carry, typename Base::Total;
  static constexpr unsigned kLeastBlocks = 1;
  struct Held {
    Carry before;  ///< this segment in its warp
    KeptRows<Word, (Rows + 3) / 4> rows;
  };

  __device__ PlaneTiles(const TilePlan& plan, std::byte* shared) : Base(plan, shared) {}

  __device__ void finish_load(unsigned iteration, const OpenChunk&, std::uint64_t) const {
    loader_.wait(iteration);
  }

  /// After the next barrier no thread needs the planes.
  __device__ Held scan(unsigned iteration, const OpenChunk& chunk, std::uint64_t row) const {
    Held held;
    const auto planes = this->planes(iteration, chunk, row, Dense{});
    held.before = this->leave_total(
        iteration, summarise<Total, Order, Rows>(KeepingSource{planes, held.rows}, Nowhere{}));
    return held;
  }

  template <class Entering, class Leaving>
  __device__ void write_values(unsigned iteration, const Held& held, const Entering& entering,
                               const Leaving& leaving) const {
    Carry carry = this->start_state(iteration, held.before, entering);
    if (sizeof(Word) > 1 && plan_.shape.tuple == 1) {  // planes of one byte are plain bytes
      integrate_from<Total, Order, Rows>(held.rows, this->packed_view(iteration, Plain{}), carry);
    } else {
      integrate_from<Total, Order, Rows>(held.rows, this->word_view(iteration, Plain{}), carry);
    }
    this->finish_values(carry, leaving);
  }
};

}  // namespace tdz::cuda
