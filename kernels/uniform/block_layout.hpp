// SPDX-License-Identifier: Apache-2.0
// Headers and sizes inside zstd blocks and frames of coding 1, for host and device: FORMAT.md, section 4; RFC
// 8878, section 3.1.1.
#pragma once

#include <cstdint>

#include "kernels/scan_algebra.hpp"

namespace tdz::uniform {

inline constexpr std::size_t kRuns = 4;           ///< of a uniform block, one for each stream
inline constexpr std::uint32_t kBlockHeader = 3;  ///< bytes before each zstd block
inline constexpr std::uint32_t kJumpTable = 6;    ///< the lengths of three streams; the fourth takes the rest
inline constexpr std::size_t kGroup = 8;          ///< blocks that share a tree
inline constexpr std::size_t kLongestFrame = 8u << 20;  ///< a single segment is its own window
inline constexpr std::size_t kRawBlock = 128u << 10;    ///< of raw bits: the longest that zstd has

/// As the list in CHK has them. The first three are also zstd's types.
enum class BlockType : std::uint8_t { raw = 0, rle = 1, with_tree = 2, treeless = 3, remainder = 4 };

/// The header of a zstd block. `length`: of what follows it; of RLE the bytes that it stands for. zstd has
/// one type for both trees.
TDZ_HOST_DEVICE constexpr std::uint32_t block_header(bool last, BlockType type, std::size_t length) {
  const std::uint32_t kind = type == BlockType::treeless ? 2u : static_cast<std::uint32_t>(type);
  return (last ? 1u : 0u) | kind << 1 | static_cast<std::uint32_t>(length) << 3;
}

/// The header of Huffman literals. Both sizes have 14 bits in one of 4 bytes, and 18 bits in one of 5.
struct LiteralsShape {
  unsigned format, bits;
  std::uint32_t header;

  TDZ_HOST_DEVICE constexpr explicit LiteralsShape(std::size_t tokens)
      : format(tokens < 16384 ? 2 : 3), bits(format == 2 ? 14 : 18), header(format + 2) {}

  TDZ_HOST_DEVICE constexpr std::uint64_t number(bool with_tree, std::size_t tokens,
                                                 std::size_t packed) const {
    const std::uint64_t type = with_tree ? 2 : 3;
    return type | format << 2 | std::uint64_t{tokens} << 4 | std::uint64_t{packed} << (4 + bits);
  }
};

/// A stream of so many bits, with the bit that ends it.
TDZ_HOST_DEVICE inline std::uint32_t stream_bytes(std::uint32_t bits) {
  return bits / 8 + 1;
}

// ---- Frames

/// Magic, descriptor, content size. Section 3.1.1.1. `size`: of the content size, as the descriptor says it:
/// 0, 1 or 2 for 1, 2 or 4 bytes.
struct FrameHeader {
  static constexpr unsigned kSingleSegment = 32, kChecksum = 4;

  std::uint8_t bytes[9];
  std::uint32_t length;

  /// The shortest one.
  TDZ_HOST_DEVICE FrameHeader(std::uint32_t content, bool checksum)
      : FrameHeader(content, shortest(content), checksum) {}
  /// Precondition: holds(content, size).
  TDZ_HOST_DEVICE FrameHeader(std::uint32_t content, unsigned size, bool checksum)
      : bytes{0x28, 0xB5, 0x2F, 0xFD}, length(5 + (1u << size)) {
    bytes[4] = static_cast<std::uint8_t>(size << 6 | kSingleSegment | (checksum ? kChecksum : 0));
    const std::uint32_t number = size == 1 ? content - 256 : content;
    for (unsigned i = 0; i < 4; ++i) bytes[5 + i] = static_cast<std::uint8_t>(number >> (8 * i));
  }
  TDZ_HOST_DEVICE static std::uint32_t length_of(std::uint32_t content) {
    return 5 + (1u << shortest(content));
  }
  TDZ_HOST_DEVICE static bool holds(std::uint32_t content, unsigned size) {
    if (size == 0) return content < 256;
    if (size == 1) return content >= 256 && content < 65536 + 256;
    return size == 2;
  }

 private:
  TDZ_HOST_DEVICE static unsigned shortest(std::uint32_t content) {
    return content < 256 ? 0 : content < 65536 + 256 ? 1 : 2;
  }
};

/// Calls block(at, header, length) for each raw block of a frame of `content` bytes: where the header of the
/// block stands, counted from the end of the frame's header, its three bytes, and how many bytes follow them.
template <class Block>
TDZ_HOST_DEVICE void for_each_raw_block(std::uint32_t content, const Block& block) {
  std::uint32_t at = 0;
  for (std::uint32_t left = content; left > 0;) {
    const std::uint32_t length = left < kRawBlock ? left : static_cast<std::uint32_t>(kRawBlock);
    block(at, block_header(length == left, BlockType::raw, length), length);
    at += kBlockHeader + length, left -= length;
  }
}

/// Where bytes lie that are packed in frames of raw blocks. `segment`: the content of all frames except the
/// last one. `checksum`: the bytes after the blocks of a frame, 4 or 0.
struct RawLayout {
  std::uint32_t bytes, segment, checksum = 4;

  TDZ_HOST_DEVICE std::uint32_t frames() const { return (bytes + segment - 1) / segment; }
  TDZ_HOST_DEVICE std::uint32_t content(std::uint32_t frame) const {
    const std::uint32_t left = bytes - frame * segment;
    return left < segment ? left : segment;
  }
  TDZ_HOST_DEVICE std::uint32_t frame_bytes(std::uint32_t content) const {
    const auto blocks = static_cast<std::uint32_t>((content + kRawBlock - 1) / kRawBlock);
    return FrameHeader::length_of(content) + kBlockHeader * blocks + content + checksum;
  }
  TDZ_HOST_DEVICE std::uint64_t frame_at(std::uint32_t frame) const {
    return std::uint64_t{frame} * frame_bytes(segment);
  }
  TDZ_HOST_DEVICE std::uint64_t total() const {
    const std::uint32_t n = frames();
    return n == 0 ? 0 : frame_at(n - 1) + frame_bytes(content(n - 1));
  }
  /// Of a byte of the content: from the first frame's first byte on.
  TDZ_HOST_DEVICE std::uint64_t at(std::uint32_t byte) const {
    const std::uint32_t frame = byte / segment, inside = byte % segment;
    const auto blocks = static_cast<std::uint32_t>(inside / kRawBlock + 1);
    return frame_at(frame) + FrameHeader::length_of(content(frame)) + kBlockHeader * blocks + inside;
  }
  /// How many bytes lie side by side from this one on: up to the end of its block.
  TDZ_HOST_DEVICE std::uint32_t side_by_side(std::uint32_t byte) const {
    const std::uint32_t inside = byte % segment, left = content(byte / segment) - inside;
    const auto of_block = static_cast<std::uint32_t>(kRawBlock - inside % kRawBlock);
    return left < of_block ? left : of_block;
  }
  /// Whether these bytes lie side by side. Precondition: there is one at least.
  TDZ_HOST_DEVICE bool is_one_piece(std::uint32_t first, std::uint32_t count) const {
    const std::uint32_t last = first + count - 1;
    return first / segment == last / segment && first % segment / kRawBlock == last % segment / kRawBlock;
  }
};

}  // namespace tdz::uniform
