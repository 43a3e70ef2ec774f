// SPDX-License-Identifier: Apache-2.0
// The headers of a zstd block of Huffman literals, judged by one thread of host or device: RFC 8878, sections
// 3.1.1.2 and 3.1.1.3.1. Nothing is allocated.
#pragma once

#include <cstdint>

#include "kernels/scan_algebra.hpp"
#include "kernels/uniform/block_layout.hpp"
#include "kernels/uniform/tree_weights.hpp"

namespace tdz::uniform {

TDZ_HOST_DEVICE constexpr std::uint64_t little_endian(const std::uint8_t* bytes, std::uint32_t count) {
  std::uint64_t value = 0;
  for (std::uint32_t i = count; i-- > 0;) value = value << 8 | bytes[i];
  return value;
}

/// Bytes within a block, counted from its header; no bytes: there is no such place.
struct PlaceInBlock {
  std::uint32_t at = 0, bytes = 0;
};

/// What the list says of a block. Its bytes are there: kBlockHeader + length of them.
struct ListedBlock {
  const std::uint8_t* bytes;
  std::uint32_t length;
  BlockType type;
  std::uint32_t tokens;
  bool last;

  TDZ_HOST_DEVICE constexpr bool with_tree() const { return type == BlockType::with_tree; }
  TDZ_HOST_DEVICE constexpr bool has_codes() const {
    return type == BlockType::with_tree || type == BlockType::treeless;
  }

  /// Whether the block's own header agrees. RLE says how many bytes it stands for.
  TDZ_HOST_DEVICE constexpr bool header_agrees() const {
    const std::uint32_t said = type == BlockType::rle ? tokens : length;
    return little_endian(bytes, kBlockHeader) == block_header(last, type, said);
  }
  /// Where tree, jumps and streams stand, if the header of the literals agrees and no sequences follow.
  TDZ_HOST_DEVICE constexpr PlaceInBlock body() const {
    const LiteralsShape shape(tokens);
    if (length < shape.header + kJumpTable + 1 || length >= tokens) return {};
    const std::uint32_t packed = length - shape.header - 1, at = kBlockHeader + shape.header;
    const std::uint64_t said = little_endian(bytes + kBlockHeader, shape.header);
    if (said != shape.number(with_tree(), tokens, packed)) return {};
    if (bytes[kBlockHeader + length - 1] != 0) return {};
    return {at, packed};
  }
  /// Precondition: the block is of type 2.
  TDZ_HOST_DEVICE constexpr PlaceInBlock tree() const {
    const PlaceInBlock found = body();
    if (found.bytes == 0) return {};
    const std::uint32_t own = description_length(bytes[found.at]);
    return own <= found.bytes ? PlaceInBlock{found.at, own} : PlaceInBlock{};
  }
  /// Stream 0, 1, 2 or 3. Precondition: the block is of type 2 or 3.
  TDZ_HOST_DEVICE constexpr PlaceInBlock stream(std::uint32_t number) const {
    PlaceInBlock found = body();
    if (found.bytes == 0) return {};
    const std::uint32_t before = with_tree() ? tree().bytes : 0;
    if ((with_tree() && before == 0) || found.bytes < before + kJumpTable) return {};
    const std::uint8_t* jumps = bytes + found.at + before;
    std::uint32_t at = found.at + before + kJumpTable, left = found.bytes - before - kJumpTable;
    for (std::uint32_t i = 0;; ++i) {
      const auto own = i < 3 ? static_cast<std::uint32_t>(little_endian(jumps + 2 * i, 2)) : left;
      if (own > left) return {};
      if (i == number) return {at, own};
      at += own, left -= own;
    }
  }
};

}  // namespace tdz::uniform
