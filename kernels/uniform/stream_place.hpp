// SPDX-License-Identifier: Apache-2.0
// The headers of a zstd block of Huffman literals, judged by one thread of host or device: RFC 8878, sections
// 3.1.1.2 and 3.1.1.3.1. Nothing is allocated.
#pragma once

#include <cstdint>

#include "kernels/scan_algebra.hpp"
#include "kernels/uniform/tree_weights.hpp"

namespace tdz::uniform {

inline constexpr std::uint32_t kJumpBytes = 6;  ///< the lengths of three streams; the fourth takes the rest
inline constexpr std::uint32_t kBlockHeaderBytes = 3;

/// Number i of a zstd block's types in the list: raw, rle, with_tree, treeless. zstd has one type for both
/// trees.
TDZ_HOST_DEVICE constexpr std::uint32_t block_header_of(bool last, std::uint32_t type, std::uint32_t length) {
  return (last ? 1u : 0u) | (type < 2 ? type : 2u) << 1 | length << 3;
}

/// Both sizes have 14 bits in a header of 4 bytes, and 18 bits in one of 5.
TDZ_HOST_DEVICE constexpr std::uint32_t literals_header_bytes(std::uint32_t tokens) {
  return tokens < 16384 ? 4 : 5;
}
TDZ_HOST_DEVICE constexpr std::uint64_t literals_header(bool with_tree, std::uint32_t tokens,
                                                        std::uint32_t packed) {
  const std::uint32_t format = tokens < 16384 ? 2 : 3, bits = format == 2 ? 14 : 18;
  return (with_tree ? 2u : 3u) | format << 2 | std::uint64_t{tokens} << 4 |
         std::uint64_t{packed} << (4 + bits);
}

TDZ_HOST_DEVICE constexpr std::uint64_t little_endian(const std::uint8_t* bytes, std::uint32_t count) {
  std::uint64_t value = 0;
  for (std::uint32_t i = count; i-- > 0;) value = value << 8 | bytes[i];
  return value;
}

/// Bytes within a block, counted from its header; no bytes: there is no such place.
struct PlaceInBlock {
  std::uint32_t at = 0, bytes = 0;
};

/// What the list says of a block. Its bytes are there: kBlockHeaderBytes + length of them.
struct ListedBlock {
  const std::uint8_t* bytes;
  std::uint32_t length;
  std::uint32_t type;
  std::uint32_t tokens;
  bool last;

  TDZ_HOST_DEVICE constexpr bool with_tree() const { return type == 2; }
  TDZ_HOST_DEVICE constexpr bool has_codes() const { return type == 2 || type == 3; }

  /// Whether the block's own header agrees. RLE says how many bytes it stands for.
  TDZ_HOST_DEVICE constexpr bool header_agrees() const {
    const std::uint32_t said = type == 1 ? tokens : length;
    return little_endian(bytes, kBlockHeaderBytes) == block_header_of(last, type, said);
  }
  /// Where tree, jumps and streams stand, if the header of the literals agrees and no sequences follow.
  TDZ_HOST_DEVICE constexpr PlaceInBlock body() const {
    const std::uint32_t header = literals_header_bytes(tokens);
    if (length < header + kJumpBytes + 1 || length >= tokens) return {};
    const std::uint32_t packed = length - header - 1, at = kBlockHeaderBytes + header;
    if (little_endian(bytes + kBlockHeaderBytes, header) != literals_header(with_tree(), tokens, packed))
      return {};
    if (bytes[kBlockHeaderBytes + length - 1] != 0) return {};
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
    if ((with_tree() && before == 0) || found.bytes < before + kJumpBytes) return {};
    const std::uint8_t* jumps = bytes + found.at + before;
    std::uint32_t at = found.at + before + kJumpBytes, left = found.bytes - before - kJumpBytes;
    for (std::uint32_t i = 0;; ++i) {
      const auto own = i < 3 ? static_cast<std::uint32_t>(little_endian(jumps + 2 * i, 2)) : left;
      if (own > left) return {};
      if (i == number) return {at, own};
      at += own, left -= own;
    }
  }
};

}  // namespace tdz::uniform
