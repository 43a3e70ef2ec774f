// SPDX-License-Identifier: Apache-2.0
// Wide tuples: a thread walks one column through all rows of a chunk, with its carry or history in registers.
// Neighbouring threads read neighbouring columns. Words lie interleaved. Where the tuple allows it, a thread
// takes the columns of eight neighbouring bytes.
#pragma once

#include <cuda_runtime.h>

#include "kernels/cuda/tile/open_chunk.cuh"
#include "kernels/cuda/tile/tile_plan.hpp"
#include "kernels/cuda/tile/tile_views.hpp"

namespace tdz::cuda {

inline constexpr unsigned kColumnThreads = 128;
inline constexpr unsigned kRowsAhead = 8;  ///< loads of a thread that are under way together

/// `Pack` neighbouring words of one row.
template <class Word, unsigned Pack>
struct alignas(Pack * sizeof(Word)) PackOf {
  Word word[Pack];
};

template <class Word, unsigned Order, Direction Way>
__device__ Word step_column(Polynomial<Sum<Word>, Order>& state, Word word, MaybeZigzag code) {
  if constexpr (Way == Direction::integrate) {
    return static_cast<Word>(integrate_step(state, code.template in<Word>(word)));
  } else {
    return code.template out<Word>(difference_step(state, Sum<Word>{word}));
  }
}

/// Rows [row, row + kRowsAhead) of one column of packs: all loads first, then the steps, then the stores.
template <class Word, unsigned Order, unsigned Pack, Direction Way>
__device__ void walk_rows(const PackOf<Word, Pack>* in, PackOf<Word, Pack>* out, std::uint64_t stride,
                          std::uint64_t rows, MaybeZigzag code, Polynomial<Sum<Word>, Order> (&state)[Pack]) {
  PackOf<Word, Pack> pack[kRowsAhead];
#pragma unroll
  for (unsigned r = 0; r < kRowsAhead; ++r) {
    if (r < rows) pack[r] = in[r * stride];
  }
#pragma unroll
  for (unsigned r = 0; r < kRowsAhead; ++r) {
    if (r >= rows) return;
    for (unsigned i = 0; i < Pack; ++i) {
      pack[r].word[i] = step_column<Word, Order, Way>(state[i], pack[r].word[i], code);
    }
    out[r * stride] = pack[r];
  }
}

/// The words after the last whole pack, by the thread whose column follows it.
template <class Word, unsigned Order, unsigned Pack, Direction Way>
__device__ void finish_pack(const ChunkTask& chunk, std::uint64_t first, MaybeZigzag code,
                            Polynomial<Sum<Word>, Order> (&state)[Pack]) {
  const auto* in = reinterpret_cast<const Word*>(chunk.in) + first;
  auto* out = reinterpret_cast<Word*>(chunk.out) + first;
#pragma unroll
  for (unsigned i = 0; i + 1 < Pack; ++i) {
    if (first + i < chunk.bytes / sizeof(Word)) out[i] = step_column<Word, Order, Way>(state[i], in[i], code);
  }
}

template <class Word, unsigned Order, unsigned Pack, Direction Way>
__global__ void __launch_bounds__(kColumnThreads) walk_columns(Pass pass, ChunkBatch batch) {
  const std::uint32_t column = blockIdx.x * kColumnThreads + threadIdx.x, stride = pass.tuple / Pack;
  if (blockIdx.x == 0) copy_trailing<Word>(batch[blockIdx.y]);
  const ChunkTask chunk = batch[blockIdx.y];
  const std::uint64_t packs = chunk.bytes / sizeof(Word) / Pack;
  if (column >= stride) return;
  const std::uint64_t rows = (packs + stride - 1 - column) / stride;
  const auto* in = reinterpret_cast<const PackOf<Word, Pack>*>(chunk.in) + column;
  auto* out = reinterpret_cast<PackOf<Word, Pack>*>(chunk.out) + column;
  const MaybeZigzag code{pass.zigzag ? 1u : 0u};
  Polynomial<Sum<Word>, Order> state[Pack] = {};
  for (std::uint64_t row = 0; row < rows; row += kRowsAhead) {
    walk_rows<Word, Order, Pack, Way>(in + row * stride, out + row * stride, stride, rows - row, code, state);
  }
  if (column == packs % stride) finish_pack<Word, Order, Pack, Way>(chunk, packs * Pack, code, state);
}

}  // namespace tdz::cuda
