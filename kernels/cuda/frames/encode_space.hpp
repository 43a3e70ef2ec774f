// SPDX-License-Identifier: Apache-2.0
// What the kernels of the encoder leave for each other in device memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/cuda/frames/encode.hpp"
#include "kernels/uniform/tree_text.hpp"

namespace tdz::cuda::frames {

inline constexpr std::uint32_t kNone = ~std::uint32_t{0};

/// A symbol's counts in the four runs of a block.
struct alignas(8) FourCounts {
  std::uint16_t of[4];
};

struct BlockFacts {
  std::uint32_t symbol;          ///< all tokens are this one, or kNone
  std::uint32_t offset;          ///< of its zstd block, in its group
  std::uint32_t raw_offset;      ///< of its raw bits, in its group
  std::uint16_t stream_bits[4];  ///< of its Huffman streams, without their ends
};

struct GroupFacts {
  // Of the tree that its own counts make.
  std::uint32_t text_bytes;  ///< of the description; 0: there is no such tree
  std::uint32_t bits;        ///< that its tokens and the description take
  std::uint32_t longest;     ///< bits of the longest code
  std::uint32_t is_written;  ///< a block would be smaller in it, with the description, than raw
  std::uint32_t has_tokens;  ///< some blocks are not of one symbol
  // What was chosen.
  std::uint32_t tree;   ///< the group whose tree its blocks take, or kNone
  std::uint32_t bytes;  ///< of all its zstd blocks, with headers
  std::uint32_t raw_bytes;
  std::uint32_t offset;      ///< in its frame, behind the header
  std::uint32_t raw_offset;  ///< in its column's raw bits
};

/// Arrays in scratch. A stride of `alphabet` symbols stands for each block and group.
struct EncodeSpace {
  std::uint32_t alphabet = 0;
  FourCounts* counts = nullptr;           ///< blocks
  std::uint32_t* group_counts = nullptr;  ///< groups
  std::uint32_t* codes = nullptr;         ///< groups; the code, and its bits above 16
  std::uint8_t* lengths = nullptr;        ///< groups
  std::uint8_t* texts = nullptr;          ///< groups, kLongestText bytes each
  BlockFacts* blocks = nullptr;
  GroupFacts* groups = nullptr;
  std::uint32_t* frame_offsets = nullptr;  ///< frames: where they begin in their chunk
  std::uint32_t* raw_offsets = nullptr;    ///< columns: where their raw frames begin in their chunk
  std::size_t bytes = 0;

  EncodeSpace(const EncodeTables& tables, std::byte* scratch) {
    alphabet = (tables.largest_alphabet + 31) / 32 * 32;
    const std::size_t blocks_n = tables.block_count, groups_n = tables.group_count;
    take(counts, blocks_n * alphabet, scratch);
    take(group_counts, groups_n * alphabet, scratch);
    take(codes, groups_n * alphabet, scratch);
    take(lengths, groups_n * alphabet, scratch);
    take(texts, groups_n * uniform::kLongestText, scratch);
    take(blocks, blocks_n, scratch);
    take(groups, groups_n, scratch);
    take(frame_offsets, tables.frame_count, scratch);
    take(raw_offsets, tables.column_count, scratch);
  }

 private:
  template <class T>
  void take(T*& array, std::size_t count, std::byte* scratch) {
    if (scratch != nullptr) array = reinterpret_cast<T*>(scratch + bytes);
    bytes += (count * sizeof(T) + 255) / 256 * 256;
  }
};

inline std::size_t scratch_bytes(const EncodeTables& tables) {
  return EncodeSpace(tables, nullptr).bytes;
}

}  // namespace tdz::cuda::frames
