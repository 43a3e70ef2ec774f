// SPDX-License-Identifier: Apache-2.0
// Frames that a device can enter everywhere: of uniform blocks, and of raw blocks. FORMAT.md, section 4; RFC
// 8878, section 3.1.1. Pure functions, thread-safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "formats/plan/plan.hpp"
#include "formats/stream/chunk.hpp"
#include "kernels/uniform/block.hpp"

namespace tdz::uniform {

/// Raw bits of each token. Tokens that no word has count as 0.
using TokenBits = std::array<std::uint8_t, kSymbols>;
TokenBits token_bits(TokenCode code, unsigned word_bits);
/// The bytes of a run's raw bits.
std::uint16_t raw_bytes(const RunCounts& run, const TokenBits& bits);

struct BlockRules {
  std::size_t tokens = 0;              ///< of each block
  unsigned code_limit = kLongestCode;  ///< bits of the longest code
  TokenBits bits{};
};

/// Writes whole blocks as one frame without a checksum, appends their entries to `list`, and returns the
/// frame's length. There is room for the tokens, kBlockHeader bytes a block, and 13 for header and checksum.
std::size_t write_frame(std::span<const std::byte> tokens, const BlockRules& rules, std::byte* to,
                        std::vector<formats::BlockEntry>& list);
/// Whether an entry can be that of a block of so many tokens, wherever it stands. Its bits are not judged
/// where a tree may tell them.
bool is_block(const formats::BlockEntry& entry, std::size_t tokens);
/// What stands between header and checksum of a frame that is a single segment with so much content. Nothing:
/// the frame is none.
std::optional<std::span<const std::byte>> blocks_of(std::span<const std::byte> frame, std::size_t content);

enum class Checksum : bool { none, written };
/// A frame of raw blocks. There is room for the bytes, kBlockHeader a block, and 13 for header and checksum.
std::size_t write_raw_frame(std::span<const std::byte> bytes, std::byte* to,
                            Checksum checksum = Checksum::written);
/// The content of a frame of raw blocks, where it lies: blocks of kRawBlock bytes, the last one shorter, with
/// kBlockHeader others between them.
struct RawContent {
  const std::byte* begin = nullptr;
  std::size_t bytes = 0;

  /// Calls use(bytes that lie side by side) for the first `count` bytes.
  template <class Use>
  void each_piece(std::size_t count, const Use& use) const {
    for (const std::byte* from = begin; count > 0; from += kRawBlock + kBlockHeader) {
      const std::size_t length = count < kRawBlock ? count : kRawBlock;
      use(std::span(from, length));
      count -= length;
    }
  }
};
/// Nothing: the frame is none of so many bytes in raw blocks. The checksum is not judged, and may be missing.
std::optional<RawContent> raw_content(std::span<const std::byte> frame, std::size_t bytes);
/// The first bytes of the content, as many as there is room for.
void copy_content(const RawContent& content, std::span<std::byte> to);

}  // namespace tdz::uniform
