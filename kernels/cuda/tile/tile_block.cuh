// SPDX-License-Identifier: Apache-2.0
// What all blocks that integrate tiles have in common: loads, stores, and the totals of their warps.
#pragma once

#include "kernels/cuda/tile/open_chunk.cuh"
#include "kernels/cuda/tile/tile_copy.cuh"
#include "kernels/cuda/tile/tile_scan.hpp"

namespace tdz::cuda {

/// An iteration is a tile's number among the tiles of this block; `row` is its first row in the chunk. The
/// totals of `Totals` iterations are kept, as the plan says.
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
  __device__ void start_load(unsigned iteration, const OpenChunk& chunk, std::uint64_t row) const {
    loader_.start(iteration, residuals(chunk, plan_.shape.threads(), threadIdx.x), chunk.task.in, row);
  }
  __device__ void close_load() const { loader_.close(); }
  __device__ void wait_load(unsigned iteration) const { loader_.wait(iteration); }

  /// Order `k` of the whole tile's carry, placed at its first row. Call it after the barrier that publishes
  /// the totals.
  __device__ Total tile_total(unsigned iteration, unsigned k, unsigned lane) const {
    return total_before(iteration, k, plan_.shape.strands, lane);
  }

  // Store.
  __device__ void start_store(unsigned iteration, const OpenChunk& chunk, std::uint64_t row) const {
    TileStorer::start(tile(iteration), values(chunk, plan_.shape.threads(), threadIdx.x), chunk.task.out,
                      row);
  }

#if TDZ_BULK_COPY
  // Load and store by the producer warp. A tile is loaded to where another one has been stored from, or is
  // being stored from, part by part.
  __device__ void skip_load(unsigned iteration) const {
    loader_.skip(iteration, threadIdx.x % kWarp);
  }
  __device__ void produce_load(unsigned iteration, const OpenChunk& chunk, std::uint64_t row) const {
    const TilePieces pieces = residuals(chunk, kWarp, threadIdx.x % kWarp);
    if (plan_.in_place()) return loader_.start_behind(iteration, pieces, chunk.task.in, row);
    wait_for_stores();  // frees a buffer: a tile's arrival lets the compute warps write to it
    loader_.start(iteration, pieces, chunk.task.in, row);
  }
  __device__ void produce_store(unsigned iteration, const OpenChunk& chunk, std::uint64_t row) const {
    TileStorer::store_in_parts(tile(iteration), values(chunk, kWarp, threadIdx.x % kWarp), chunk.task.out,
                               row);
  }
#endif

 protected:
  /// Order `k` of the sum of all strands before `strand`.
  __device__ Total total_before(unsigned iteration, unsigned k, unsigned strand, unsigned lane) const {
    Total sum = 0;
    for (unsigned s = 0; s < strand; ++s) sum += total(iteration, k, s, lane);
    return sum;
  }
  __device__ Total& total(unsigned iteration, unsigned k, unsigned strand, unsigned lane) const {
    return totals_[((iteration % Totals * kOrder + k) * plan_.shape.strands + strand) * plan_.shape.tuple +
                   lane];
  }

  /// A tile's pieces for `threads` threads that copy them together; this is number `thread` of them.
  __device__ TilePieces residuals(const OpenChunk& chunk, unsigned threads, unsigned thread) const {
    return {chunk.residuals,         chunk.task.bytes, plan_.pieces_in, plan_.piece_stride_in,
            plan_.shape.tile_rows(), threads,          thread};
  }
  __device__ TilePieces values(const OpenChunk& chunk, unsigned threads, unsigned thread) const {
    const std::uint32_t tile_bytes = plan_.shape.tile_words() * sizeof(Word);
    return {chunk.values, chunk.task.bytes, 1, tile_bytes, plan_.shape.tile_rows(), threads, thread};
  }

  /// Where a tile's words lie: in the stage they were loaded to, or in a buffer if they came in another
  /// layout.
  __device__ std::byte* tile(unsigned iteration) const {
    return plan_.in_place() ? loader_.stage(iteration)
                            : buffers_ + (iteration % plan_.buffers) * plan_.buffer_bytes();
  }
  const TilePlan& plan_;
  TileLoader loader_;

 private:
  std::byte* buffers_;
  Total* totals_;
};

}  // namespace tdz::cuda
