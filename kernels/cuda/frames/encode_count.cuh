// SPDX-License-Identifier: Apache-2.0
// Counts the tokens of each run, a warp a block. Each lane of the warp has a counter of its own for each
// symbol: one 32-bit word, a byte for each run. So no two lanes meet in a bank, and no lane waits for
// another. A lane sees at most 128 words of a run.
#pragma once

#include "kernels/cuda/frames/encode_space.hpp"
#include "kernels/cuda/frames/encode_words.cuh"
#include "kernels/uniform/block_layout.hpp"
#include "kernels/uniform/team.hpp"

namespace tdz::cuda::frames {

template <class Word>
__device__ void tally_block(const BlockWords<Word>& words, const TokenMaker& token, unsigned run_log,
                            std::uint32_t* tally) {
  using Words = BlockWords<Word>;
  const unsigned tiles = (4u << run_log) / Words::kTile,
                 tiles_log = run_log - (uniform::width_of(Words::kTile) - 1);
  auto loaded = words.load(0);
  for (unsigned tile = 0; tile < tiles; ++tile) {
    auto next = loaded;
    if (tile + 1 < tiles) next = words.load(tile + 1);
    words.transform(loaded);
    const std::uint32_t one = 1u << (8 * (tile >> tiles_log));
#pragma unroll
    for (unsigned i = 0; i < Words::kEach; ++i)
      atomicAdd(&tally[token(loaded.word[Words::kHistory + i]).token * 32], one);
    loaded = next;
  }
}

/// Sums up the lanes' counters of one symbol.
__device__ inline FourCounts sum_lanes(const std::uint32_t* tally, unsigned lane) {
  std::uint32_t even = 0, odd = 0;
#pragma unroll 8
  for (unsigned i = 0; i < 32; ++i) {
    const std::uint32_t four = tally[(i + lane) % 32];
    even += four & 0x00FF00FF;
    odd += four >> 8 & 0x00FF00FF;
  }
  return {{static_cast<std::uint16_t>(even), static_cast<std::uint16_t>(odd),
           static_cast<std::uint16_t>(even >> 16), static_cast<std::uint16_t>(odd >> 16)}};
}

template <class Word>
__global__ void count(EncodeJob job, EncodeSpace space, std::uint32_t first_group, std::uint32_t groups,
                      std::uint32_t alphabet) {
  auto* tallies = reinterpret_cast<std::uint32_t*>(launched_shared());
  const unsigned warp = threadIdx.x / 32, lane = lane_id();
  const std::uint32_t unit = blockIdx.x * (blockDim.x / 32) + warp;
  if (unit / 8 >= groups) return;
  const std::uint32_t group = first_group + unit / 8, in_group = unit % 8;
  const BlockPlace place(job.tables, group, in_group);
  if (in_group >= place.group->blocks) return;
  const EncodeColumn& column = *place.column;

  std::uint32_t* tally = tallies + warp * alphabet * 32;
  const unsigned symbols = (column.symbols + 31u) / 32 * 32;
  for (unsigned i = lane; i < symbols * 8; i += 32) reinterpret_cast<uint4*>(tally)[i] = {};
  __syncwarp();
  const TokenMaker token(column);
  tally_block(BlockWords<Word>(job, column, *place.frame, place.in_frame), token, column.run, tally + lane);
  __syncwarp();

  std::uint32_t raw[4] = {};
  std::uint32_t only = kNone;
  for (unsigned s = lane; s < symbols; s += 32) {
    const FourCounts counts = sum_lanes(tally + s * 32, lane);
    space.counts[std::size_t{place.block} * space.alphabet + s] = counts;
    const std::uint32_t bits = token.raw_bits_of(s);
    std::uint32_t sum = 0;
    for (unsigned r = 0; r < 4; ++r) raw[r] += counts.of[r] * bits, sum += counts.of[r];
    if (sum == 4u << column.run) only = s;
  }
  only = ~WarpTeam::largest(~only);
  std::uint32_t raw_bytes = 0;
  for (unsigned r = 0; r < 4; ++r) raw[r] = (WarpTeam::sum(raw[r]) + 7) / 8, raw_bytes += raw[r];
  if (lane == 0) {
    space.blocks[place.block].symbol = only;
    space.blocks[place.block].raw_offset = raw_bytes;  // only its length, until the group adds up
    for (unsigned r = 0; r < 4; ++r)
      job.results.blocks[place.block].raw[r] = static_cast<std::uint16_t>(raw[r]);
  }
}

}  // namespace tdz::cuda::frames
