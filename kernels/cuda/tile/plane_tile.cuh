// SPDX-License-Identifier: Apache-2.0
// Integrating a tile that came as dense planes: each thread takes its segment into registers once, and then
// the values take the planes' place. Twice the tiles fit into shared memory, and it is read once and written
// once.
#pragma once

#include "kernels/cuda/integrate/integrate_tile.cuh"

namespace tdz::cuda {

/// The same face as TileIntegrator; the segment's rows are held from the scan to the values.
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

  __device__ void finish_load(unsigned turn, const OpenChunk&, std::uint64_t) const { loader_.wait(turn); }

  /// After it, no thread needs the planes.
  __device__ Held scan(unsigned turn, const OpenChunk& chunk, std::uint64_t row) const {
    Held held;
    const auto planes = this->planes(turn, chunk, row, Dense{});
    held.before =
        this->leave_total(turn, summarise<Total, Order, Rows>(KeepingSource{planes, held.rows}, Nowhere{}));
    return held;
  }

  template <class Entering, class Leaving>
  __device__ void write_values(unsigned turn, const Held& held, const Entering& entering,
                               const Leaving& leaving) const {
    Carry carry = this->start_state(turn, held.before, entering);
    if (sizeof(Word) > 1 && plan_.shape.tuple == 1) {  // planes of single bytes would be the bytes
      integrate_from<Total, Order, Rows>(held.rows, this->packed_view(turn, Plain{}), carry);
    } else {
      integrate_from<Total, Order, Rows>(held.rows, this->word_view(turn, Plain{}), carry);
    }
    this->finish_values(carry, leaving);
  }
};

}  // namespace tdz::cuda
