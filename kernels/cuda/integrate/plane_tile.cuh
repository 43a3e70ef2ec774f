// SPDX-License-Identifier: Apache-2.0
// Integrating a tile of dense planes. Each thread reads its segment into registers once; then the values
// overwrite the planes. So shared memory holds twice as many tiles, and every byte of it is read once and
// written once.
#pragma once

#include "kernels/cuda/integrate/integrate_tile.cuh"

namespace tdz::cuda {

/// The same interface as TileIntegrator. The segment's rows stay in registers from the scan to the store.
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
