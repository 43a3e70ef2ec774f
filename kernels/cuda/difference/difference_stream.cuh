// SPDX-License-Identifier: Apache-2.0
// The inverse of integrate_stream.cuh: a block walks a chunk and turns values into residuals. It passes a
// history of every lane from tile to tile. A history can be read from the values; it does not depend on all
// tiles before. So several blocks may share a chunk: each walks a span of its tiles.
#pragma once

#include "kernels/cuda/difference/difference_tile.cuh"
#include "kernels/cuda/tile/carry_pair.cuh"

namespace tdz::cuda {

/// How the tiles of a chunk are divided among blocks.
struct SpanCut {
  std::uint32_t spans = 1;  ///< of a chunk
  std::uint32_t tiles_per_span = 0;
};

template <class Word, unsigned Order, unsigned Rows, TileKind Kind>
__global__ void __launch_bounds__(kMaxWarps* kWarp)
    difference_stream(const __grid_constant__ TilePlan plan, const __grid_constant__ ChunkBatch batch,
                      const SpanCut cut) {
  extern __shared__ __align__(128) std::byte shared[];
  const OpenChunk chunk(plan.steps, batch[blockIdx.x / cut.spans]);
  const TileDifferencer<Word, Order, Rows, Kind> block(plan, shared);
  const CarryPair<Word, Order> histories{reinterpret_cast<Sum<Word>*>(shared + plan.carries_at()),
                                         plan.shape.tuple};
  const std::uint32_t tile_rows = plan.shape.tile_rows(), ahead = plan.ahead();
  const std::uint32_t first = blockIdx.x % cut.spans * cut.tiles_per_span;
  const std::uint32_t tiles = smaller(tiles_of(chunk.values.words, plan.shape), first + cut.tiles_per_span);
  const auto row_of = [&](std::uint32_t tile) { return std::uint64_t{tile} * tile_rows; };
  const auto start_load = [&](std::uint32_t tile) {
    if (tile < tiles) block.start_load(tile - first, chunk, row_of(tile));
    block.close_load();
  };

  if (first == 0) copy_trailing<Word>(chunk.task);
  if (block.in_first_segment())
    histories.put(0, block.at().lane, block.history_before_row(chunk, row_of(first)));
  __syncthreads();  // publishes the first histories
  for (std::uint32_t tile = first; tile < first + ahead; ++tile) start_load(tile);
  for (std::uint32_t tile = first; tile < tiles; ++tile) {
    const std::uint32_t iteration = tile - first;
    // Load.
    block.finish_load(iteration);
    const auto history =
        block.in_first_segment() ? histories.get(iteration, block.at().lane) : block.history(iteration);
    __syncthreads();  // frees the values for overwriting

    // Sweep, and the history for the next tile.
    const auto last = block.sweep(iteration, chunk, row_of(tile), history);
    if (block.in_last_segment()) histories.put(iteration + 1, block.at().lane, last);
    wait_for_stores();
    __syncthreads();  // publishes residuals and histories; frees stages

    // Store, and load the next tile into the free stage.
    block.start_store(iteration, chunk, row_of(tile));
    start_load(tile + ahead);
  }
  finish_stores();
}

}  // namespace tdz::cuda
