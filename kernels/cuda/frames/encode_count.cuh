// SPDX-License-Identifier: Apache-2.0
// Counts the tokens of each run, a warp a block. Each thread of the warp has a counter of its own for each
// symbol, a byte: so no thread waits for another. A thread sees at most 128 words of a run.
#pragma once

#include "kernels/cuda/frames/encode_space.hpp"
#include "kernels/cuda/frames/encode_words.cuh"
#include "kernels/uniform/block_layout.hpp"
#include "kernels/uniform/team.hpp"

namespace tdz::cuda::frames {

inline constexpr unsigned kCountWarps = 4;
/// Thread blocks of a multiprocessor, for which registers must suffice. Best on an H200, November 2026.
template <class Word>
inline constexpr unsigned kCountBlocks = sizeof(Word) == 1 ? 6 : 8;

/// 32 bytes for each symbol, one for each thread.
struct Tally {
  std::uint8_t* counters;

  __device__ void clear(unsigned symbols) const {
    for (unsigned i = warp_thread(); i < symbols * 2; i += 32) reinterpret_cast<uint4*>(counters)[i] = {};
    __syncwarp();
  }
  /// Of all lanes.
  __device__ std::uint32_t sum(unsigned symbol) const {
    std::uint32_t sum = 0;
    for (unsigned i = 0; i < 2; ++i) {
      const uint4 bytes = reinterpret_cast<const uint4*>(counters)[2 * symbol + i];
      sum = __dp4a(bytes.x, 0x01010101u, sum), sum = __dp4a(bytes.y, 0x01010101u, sum);
      sum = __dp4a(bytes.z, 0x01010101u, sum), sum = __dp4a(bytes.w, 0x01010101u, sum);
    }
    return sum;
  }
};

template <class Word, class Tokens>
__device__ void tally_run(const BlockWords<Word>& words, const Tokens& token, unsigned first_tile,
                          unsigned tiles, const Tally& tally) {
  using Words = BlockWords<Word>;
  std::uint8_t* own = tally.counters + warp_thread();
  auto loaded = words.load(first_tile);
  for (unsigned tile = 0; tile < tiles; ++tile) {
    auto next = loaded;
    if (tile + 1 < tiles) next = words.load(first_tile + tile + 1);
    const auto coded = words.transform(loaded);
#pragma unroll
    for (unsigned i = 0; i < Words::kEach; ++i) ++own[token(coded.word[i]).token * 32];
    loaded = next;
  }
  __syncwarp();
}

template <class Word, class Tokens>
__device__ void count_block(const EncodeBuffers& buffers, const EncodeSpace& space, const BlockPlace& place,
                            const Tally& tally) {
  const EncodeColumn& column = *place.column;
  const unsigned thread = warp_thread(), symbols = (column.symbols + 31u) / 32 * 32, run = 1u << column.run;
  const BlockWords<Word> words(buffers, column, *place.frame, place.in_frame);
  const Tokens token(column);
  std::uint16_t* counts = space.counts[std::size_t{place.block} * space.alphabet].of;

  std::uint32_t raw[4] = {};
  std::uint32_t only = kNone;
#pragma unroll
  for (unsigned r = 0; r < 4; ++r) {
    const unsigned tiles = run / BlockWords<Word>::kTile;
    tally.clear(symbols);
    tally_run(words, token, r * tiles, tiles, tally);
    const std::uint32_t only_before = only;
    only = kNone;
    for (unsigned s = thread; s < symbols; s += 32) {
      const std::uint32_t sum = tally.sum(s);
      counts[4 * s + r] = static_cast<std::uint16_t>(sum);
      raw[r] += sum * token.raw_bits_of(s);
      if (sum == run && (r == 0 || only_before == s)) only = s;
    }
    __syncwarp();  // frees the counters
  }
  only = ~WarpTeam::largest(~only);
  std::uint32_t raw_bytes = 0;
  for (unsigned r = 0; r < 4; ++r) raw[r] = (WarpTeam::sum(raw[r]) + 7) / 8, raw_bytes += raw[r];
  if (thread == 0) {
    space.blocks[place.block].symbol = only;
    space.blocks[place.block].raw_offset = raw_bytes;  // only its length, until the group adds up
    for (unsigned r = 0; r < 4; ++r)
      buffers.results.blocks[place.block].raw[r] = static_cast<std::uint16_t>(raw[r]);
  }
}

template <class Word>
__global__ void __launch_bounds__(32 * kCountWarps, kCountBlocks<Word>)
    count(EncodeBuffers buffers, EncodeSpace space, std::uint32_t first_group, std::uint32_t groups,
          std::uint32_t alphabet) {
  const unsigned warp = threadIdx.x / 32;
  const std::uint32_t unit = blockIdx.x * (blockDim.x / 32) + warp;
  if (unit / 8 >= groups) return;
  const std::uint32_t group = first_group + unit / 8, in_group = unit % 8;
  const BlockPlace place(buffers.tables, group, in_group);
  if (in_group >= place.group->blocks) return;
  const Tally tally{reinterpret_cast<std::uint8_t*>(launched_shared()) + warp * alphabet * 32};
  if constexpr (sizeof(Word) == 1) {
    if (ByteTokens::are_those_of(*place.column))
      return count_block<Word, ByteTokens>(buffers, space, place, tally);
  }
  count_block<Word, TokenMaker>(buffers, space, place, tally);
}

}  // namespace tdz::cuda::frames
