// SPDX-License-Identifier: Apache-2.0
// What all blocks that integrate tiles have in common: tiles come and go, and warps leave their totals.
#pragma once

#include "kernels/cuda/tile/open_chunk.cuh"
#include "kernels/cuda/tile/tile_copy.cuh"
#include "kernels/cuda/tile/tile_scan.hpp"

namespace tdz::cuda {

/// A tile is named by its turn, its number among the tiles of this block, and by its first row in the chunk;
/// the totals of `Totals` turns are kept, as the plan says.
template <class WordType, unsigned OrderOf, unsigned Totals>
class TileBlock {
 public:
  using Word = WordType;
  using Total = Sum<Word>;
  static constexpr unsigned kOrder = OrderOf;
  static constexpr unsigned kLeastBlocks = 0;  ///< on a multiprocessor; 0 leaves it to the compiler
  using Carry = Polynomial<Total, kOrder>;

  __device__ TileBlock(const TilePlan& plan, std::byte* shared)
      : plan_(plan),
        loader_(shared, plan),
        buffers_(shared + plan.buffers_at()),
        totals_(reinterpret_cast<Total*>(shared + plan.totals_at())) {}

  // Load.
  __device__ void start_load(unsigned turn, const OpenChunk& chunk, std::uint64_t row) const {
    loader_.start(turn, residuals(chunk, plan_.shape.threads(), threadIdx.x), chunk.task.in, row);
  }
  __device__ void close_load() const { loader_.close(); }
  __device__ void wait_load(unsigned turn) const { loader_.wait(turn); }

  /// Order `k` of everything in the tile, placed at its first row. After the barrier that publishes the
  /// totals.
  __device__ Total tile_total(unsigned turn, unsigned k, unsigned lane) const {
    return total_before(turn, k, plan_.shape.strands, lane);
  }

  // Store.
  __device__ void start_store(unsigned turn, const OpenChunk& chunk, std::uint64_t row) const {
    TileStorer::start(tile(turn), values(chunk, plan_.shape.threads(), threadIdx.x), chunk.task.out, row);
  }

#if TDZ_BULK_COPY
  // The same by a warp that does nothing else. Tiles come to where others have left, or are leaving, in
  // parts.
  __device__ void skip_load(unsigned turn) const {
    loader_.skip(turn, threadIdx.x % kWarp);
  }
  __device__ void bring(unsigned turn, const OpenChunk& chunk, std::uint64_t row) const {
    const TilePieces pieces = residuals(chunk, kWarp, threadIdx.x % kWarp);
    if (plan_.in_place()) return loader_.start_behind(turn, pieces, chunk.task.in, row);
    wait_for_stores();  // of buffers: the crew takes a tile that has come for leave to write to one
    loader_.start(turn, pieces, chunk.task.in, row);
  }
  __device__ void send(unsigned turn, const OpenChunk& chunk, std::uint64_t row) const {
    TileStorer::send_in_parts(tile(turn), values(chunk, kWarp, threadIdx.x % kWarp), chunk.task.out, row);
  }
#endif

 protected:
  /// Order `k` of what the strands before `strand` hold.
  __device__ Total total_before(unsigned turn, unsigned k, unsigned strand, unsigned lane) const {
    Total sum = 0;
    for (unsigned s = 0; s < strand; ++s) sum += total(turn, k, s, lane);
    return sum;
  }
  __device__ Total& total(unsigned turn, unsigned k, unsigned strand, unsigned lane) const {
    return totals_[((turn % Totals * kOrder + k) * plan_.shape.strands + strand) * plan_.shape.tuple + lane];
  }

  /// A tile as `movers` threads see it, of which this is number `thread`.
  __device__ TilePieces residuals(const OpenChunk& chunk, unsigned movers, unsigned thread) const {
    return {chunk.residuals,         chunk.task.bytes, plan_.pieces_in, plan_.slot_in,
            plan_.shape.tile_rows(), movers,           thread};
  }
  __device__ TilePieces values(const OpenChunk& chunk, unsigned movers, unsigned thread) const {
    const std::uint32_t tile_bytes = plan_.shape.tile_words() * sizeof(Word);
    return {chunk.values, chunk.task.bytes, 1, tile_bytes, plan_.shape.tile_rows(), movers, thread};
  }

  /// Where a tile's words lie: in the stage that they came in, or in a buffer if they came in another layout.
  __device__ std::byte* tile(unsigned turn) const {
    return plan_.in_place() ? loader_.stage(turn) : buffers_ + (turn % plan_.buffers) * plan_.buffer_bytes();
  }
  const TilePlan& plan_;
  TileLoader loader_;

 private:
  std::byte* buffers_;
  Total* totals_;
};

}  // namespace tdz::cuda
