// SPDX-License-Identifier: Apache-2.0
// The tree of each group, which tree it takes, and what its blocks become: frame.cpp's BlockWriter, in three
// kernels. Only the choice goes from group to group.
#pragma once

#include "kernels/cuda/frames/encode_space.hpp"
#include "kernels/cuda/frames/encode_words.cuh"
#include "kernels/uniform/block_layout.hpp"
#include "kernels/uniform/package_merge.hpp"
#include "kernels/uniform/tree_codes.hpp"
#include "kernels/uniform/tree_text.hpp"

namespace tdz::cuda::frames {

inline constexpr unsigned kTreeWarps = 4;

/// What a warp keeps in shared memory while it makes a tree.
struct TreeSpace {
  std::uint32_t counts[uniform::kSymbols];
  std::uint8_t lengths[uniform::kSymbols];
  uniform::MergeSpace merge;
  uniform::TextSpace text;
  uniform::CodeSpace codes;
};

/// Without the header of the zstd block.
struct BlockBits {
  std::uint32_t run[4];
  bool has_codes;  ///< for all tokens

  __device__ std::uint32_t bytes(std::uint32_t tokens) const {
    std::uint32_t sum =
        static_cast<std::uint32_t>(uniform::LiteralsShape(tokens).header + uniform::kJumpTable) + 1;
    for (unsigned r = 0; r < 4; ++r) sum += uniform::stream_bytes(run[r]);
    return sum;
  }
};

__device__ inline BlockBits block_bits(const FourCounts* counts, const std::uint8_t* lengths,
                                       unsigned symbols) {
  BlockBits bits{};
  bool missing = false;
  for (unsigned s = warp_thread(); s < symbols; s += 32) {
    const FourCounts four = counts[s];
    const std::uint32_t length = lengths[s];
    std::uint32_t any = 0;
    for (unsigned r = 0; r < 4; ++r) bits.run[r] += four.of[r] * length, any |= four.of[r];
    missing |= length == 0 && any != 0;
  }
  for (unsigned r = 0; r < 4; ++r) bits.run[r] = WarpTeam::sum(bits.run[r]);
  bits.has_codes = !__any_sync(kAll, missing);
  return bits;
}

/// What trees() found for a block in the tree of its own group.
__device__ inline BlockBits stored_bits(const BlockFacts& block) {
  BlockBits bits{};
  for (unsigned r = 0; r < 4; ++r) bits.run[r] = block.stream_bits[r];
  bits.has_codes = true;
  return bits;
}

/// Counts of the blocks that are not of one symbol. Returns whether there are any.
__device__ inline bool add_counts(const EncodeSpace& space, const BlockPlace& first, unsigned symbols,
                                  std::uint32_t* counts) {
  for (unsigned s = warp_thread(); s < symbols; s += 32) counts[s] = 0;
  bool any = false;
  for (unsigned b = 0; b < first.group->blocks; ++b) {
    if (space.blocks[first.block + b].symbol != kNone) continue;
    any = true;
    const FourCounts* four = space.counts + std::size_t{first.block + b} * space.alphabet;
    for (unsigned s = warp_thread(); s < symbols; s += 32)
      for (unsigned r = 0; r < 4; ++r) counts[s] += four[s].of[r];
  }
  __syncwarp();
  return any;
}

__global__ void __launch_bounds__(32 * kTreeWarps) trees(EncodeBuffers buffers, EncodeSpace space) {
  __shared__ TreeSpace of_warp[kTreeWarps];
  const std::uint32_t number = blockIdx.x * kTreeWarps + threadIdx.x / 32;
  if (number >= buffers.tables.group_count) return;
  TreeSpace& own = of_warp[threadIdx.x / 32];
  const BlockPlace first(buffers.tables, number, 0);
  const EncodeColumn& column = *first.column;
  const unsigned symbols = (column.symbols + 31u) / 32 * 32, tokens = 4u << column.run;
  const std::size_t stride = std::size_t{number} * space.alphabet;
  GroupFacts facts{};
  facts.tree = kNone;
  facts.has_tokens = add_counts(space, first, symbols, own.counts);
  if (facts.has_tokens) {
    uniform::find_lengths(WarpTeam(), own.counts, symbols, column.code_limit, own.merge, own.lengths);
    std::uint8_t* text = space.texts + std::size_t{number} * uniform::kLongestText;
    facts.text_bytes = uniform::describe_tree(WarpTeam(), own.lengths, symbols, own.text, text);
    std::uint32_t longest = 0, bits = 0;
    for (unsigned s = warp_thread(); s < symbols; s += 32) {
      longest = max(longest, std::uint32_t{own.lengths[s]});
      bits += own.counts[s] * own.lengths[s];
      space.lengths[stride + s] = own.lengths[s];
      space.group_counts[stride + s] = own.counts[s];
    }
    facts.longest = WarpTeam::largest(longest);
    facts.bits = WarpTeam::sum(bits) + 8 * facts.text_bytes;
    uniform::assign_codes(WarpTeam(), own.lengths, symbols, facts.longest, own.codes,
                          reinterpret_cast<uniform::Code*>(space.codes + stride));
    for (unsigned b = 0; b < first.group->blocks; ++b) {
      BlockFacts& block = space.blocks[first.block + b];
      if (facts.text_bytes == 0 || block.symbol != kNone) continue;
      const FourCounts* counts = space.counts + std::size_t{first.block + b} * space.alphabet;
      const BlockBits found = block_bits(counts, own.lengths, symbols);
      if (found.bytes(tokens) + facts.text_bytes < tokens) facts.is_written = 1;
      if (warp_thread() == 0)
        for (unsigned r = 0; r < 4; ++r) block.stream_bits[r] = static_cast<std::uint16_t>(found.run[r]);
    }
  }
  if (warp_thread() == 0) space.groups[number] = facts;
}

/// A tree of its own, unless the one before takes no more bits. Each thread has 8 symbols.
__global__ void choice(EncodeBuffers buffers, EncodeSpace space) {
  const std::uint32_t number = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (number >= buffers.tables.frame_count) return;
  const EncodeFrame& frame = buffers.tables.frames[number];
  const std::uint32_t groups = (frame.blocks + 7) / 8;
  const unsigned first = warp_thread() * 8,
                 symbols = (buffers.tables.columns[frame.column].symbols + 31u) / 32 * 32;
  std::uint32_t before = kNone;
  uint2 lengths = {};
  for (std::uint32_t g = frame.first_group; g < frame.first_group + groups; ++g) {
    GroupFacts& facts = space.groups[g];
    if (!facts.has_tokens) continue;
    bool own = facts.text_bytes != 0;
    if (own && before != kNone) {
      std::uint32_t bits = 0;
      bool missing = false;
      if (first < symbols) {
        const auto* counts =
            reinterpret_cast<const uint4*>(space.group_counts + std::size_t{g} * space.alphabet + first);
        const uint4 low = counts[0], high = counts[1];
        const auto add = [&](std::uint32_t count, std::uint32_t length) {
          bits += count * (length & 255);
          missing |= count != 0 && (length & 255) == 0;
        };
        add(low.x, lengths.x), add(low.y, lengths.x >> 8), add(low.z, lengths.x >> 16),
            add(low.w, lengths.x >> 24);
        add(high.x, lengths.y), add(high.y, lengths.y >> 8), add(high.z, lengths.y >> 16),
            add(high.w, lengths.y >> 24);
      }
      bits = WarpTeam::sum(bits);
      if (!__any_sync(kAll, missing) && bits <= facts.bits) own = false;
    }
    if (warp_thread() == 0) facts.tree = own ? g : before;
    if (own && facts.is_written) {
      before = g;
      if (first < symbols)
        lengths = *reinterpret_cast<const uint2*>(space.lengths + std::size_t{g} * space.alphabet + first);
    }
  }
}

__global__ void sizes(EncodeBuffers buffers, EncodeSpace space) {
  const std::uint32_t number = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (number >= buffers.tables.group_count) return;
  const BlockPlace first(buffers.tables, number, 0);
  const unsigned symbols = (first.column->symbols + 31u) / 32 * 32, tokens = 4u << first.column->run;
  GroupFacts& facts = space.groups[number];
  const std::uint32_t tree = facts.tree;
  std::uint32_t text = tree == number ? facts.text_bytes : 0;  // until it is written
  std::uint32_t at = 0, raw_at = 0;
  for (unsigned b = 0; b < first.group->blocks; ++b) {
    BlockFacts& block = space.blocks[first.block + b];
    auto type = uniform::BlockType::raw;
    std::uint32_t length = tokens, longest = 0;
    BlockBits bits{};
    if (block.symbol != kNone) {
      type = uniform::BlockType::rle, length = 1;
    } else if (tree != kNone) {
      bits = tree == number ? stored_bits(block)
                            : block_bits(space.counts + std::size_t{first.block + b} * space.alphabet,
                                         space.lengths + std::size_t{tree} * space.alphabet, symbols);
      const std::uint32_t bytes = bits.bytes(tokens) + text;
      if (bits.has_codes && bytes < tokens) {
        type = text != 0 ? uniform::BlockType::with_tree : uniform::BlockType::treeless;
        length = bytes, longest = space.groups[tree].longest, text = 0;
      }
    }
    if (warp_thread() == 0) {
      const std::uint32_t raw_bytes = block.raw_offset;
      for (unsigned r = 0; r < 4; ++r) block.stream_bits[r] = static_cast<std::uint16_t>(bits.run[r]);
      block.offset = at, block.raw_offset = raw_at;
      EncodedBlock& entry = buffers.results.blocks[first.block + b];
      entry.length = static_cast<std::uint16_t>(length);
      entry.type = static_cast<std::uint8_t>(type);
      entry.bits = static_cast<std::uint8_t>(longest);
      raw_at += raw_bytes;
    }
    at += static_cast<std::uint32_t>(uniform::kBlockHeader) + length;
  }
  if (warp_thread() == 0) facts.bytes = at, facts.raw_bytes = raw_at;
}

}  // namespace tdz::cuda::frames
