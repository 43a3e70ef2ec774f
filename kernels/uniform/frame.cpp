// SPDX-License-Identifier: Apache-2.0
#include "kernels/uniform/frame.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "formats/bytes.hpp"
#include "formats/digest.hpp"
#include "formats/steps/tokens.hpp"
#include "kernels/buffer.hpp"

namespace tdz::uniform {
namespace {

using formats::BlockEntry;

constexpr std::size_t kChecksumBytes = 4;

template <std::unsigned_integral T>
std::byte* put(std::byte* to, T value, std::size_t bytes = sizeof(T)) {
  for (std::size_t i = 0; i < bytes; ++i) *to++ = static_cast<std::byte>(std::uint64_t{value} >> (8 * i));
  return to;
}

// ---- The header: section 3.1.1.1

std::byte* put_header(std::byte* to, std::size_t content, bool checksum) {
  const FrameHeader header(static_cast<std::uint32_t>(content), checksum);
  return std::ranges::copy(std::as_bytes(std::span(header.bytes)).first(header.length), to).out;
}

// ---- Uniform blocks

Counts counts_of(std::span<const CountedBlock> group) {
  Counts counts{};
  for (const CountedBlock& block : group) {
    if (block.is_one_symbol()) continue;
    for (std::size_t s = 0; s < kSymbols; ++s) counts[s] += block.count(s);
  }
  return counts;
}

/// The bits that these tokens take, and those of the description; nothing if a token has no code.
std::optional<std::uint64_t> bits_of(const Counts& counts, const Tree& tree, bool with_tree) {
  std::uint64_t bits = with_tree ? 8 * tree.description.size() : 0;
  for (std::size_t s = 0; s < kSymbols; ++s) {
    if (counts[s] != 0 && tree.lengths[s] == 0) return std::nullopt;
    bits += std::uint64_t{counts[s]} * tree.lengths[s];
  }
  return bits;
}

class BlockWriter {
 public:
  BlockWriter(const BlockRules& rules, std::byte* to, std::vector<BlockEntry>& list)
      : rules_(rules), to_(to), list_(list) {}

  /// `last`: no group of this frame follows.
  std::byte* write(std::span<const CountedBlock> group, bool last) {
    choose_tree(group);
    for (const CountedBlock& block : group) write(block, last && &block == &group.back());
    return to_;
  }

 private:
  /// A tree of its own, unless the one before takes no more bits.
  void choose_tree(std::span<const CountedBlock> group) {
    fresh_.reset();
    const Counts counts = counts_of(group);
    if (std::ranges::all_of(counts, [](auto count) { return count == 0; })) return;
    fresh_ = write_tree(code_lengths(counts, rules_.code_limit));
    const auto before = tree_ ? bits_of(counts, *tree_, false) : std::nullopt;
    if (fresh_ && before && *before <= *bits_of(counts, *fresh_, true)) fresh_.reset();
  }

  void write(const CountedBlock& block, bool last) {
    BlockEntry& entry = list_.emplace_back();
    for (std::size_t i = 0; i < kRuns; ++i) entry.raw[i] = raw_bytes(block.runs[i], rules_.bits);
    if (block.is_one_symbol()) return write_bytes(block.tokens.first(1), BlockType::rle, last, entry);
    if (write_codes(block, last, entry)) return;
    write_bytes(block.tokens, BlockType::raw, last, entry);
  }

  /// False, and nothing is written: codes save nothing.
  bool write_codes(const CountedBlock& block, bool last, BlockEntry& entry) {
    const bool with_tree = fresh_.has_value();
    const Tree* tree = with_tree ? &*fresh_ : tree_ ? &*tree_ : nullptr;
    const auto bytes = tree != nullptr ? literals_bytes(block, *tree, with_tree) : std::nullopt;
    if (!bytes || *bytes >= block.tokens.size()) return false;
    const auto type = with_tree ? BlockType::with_tree : BlockType::treeless;
    entry.bits = static_cast<std::uint8_t>(tree->longest);
    begin(type, *bytes, *bytes, last, entry);
    to_ += write_literals(block, *tree, with_tree, to_);
    if (with_tree) tree_ = *std::exchange(fresh_, std::nullopt);
    return true;
  }

  void write_bytes(std::span<const std::byte> bytes, BlockType type, bool last, BlockEntry& entry) {
    begin(type, bytes.size(), rules_.tokens, last, entry);
    to_ = std::ranges::copy(bytes, to_).out;
  }

  /// `length`: of the block, `said`: what its header says.
  void begin(BlockType type, std::size_t length, std::size_t said, bool last, BlockEntry& entry) {
    entry.length = static_cast<std::uint16_t>(length);
    entry.type = static_cast<std::uint8_t>(type);
    to_ = put(to_, block_header(last, type, said), kBlockHeader);
  }

  const BlockRules& rules_;
  std::byte* to_;
  std::vector<BlockEntry>& list_;
  std::optional<Tree> tree_;   ///< the last one written
  std::optional<Tree> fresh_;  ///< of this group, not written yet
};

}  // namespace

bool is_block(const BlockEntry& entry, std::size_t tokens) {
  switch (static_cast<BlockType>(entry.type)) {
    case BlockType::raw:
      return entry.length == tokens && entry.bits == 0;
    case BlockType::rle:
      return entry.length == 1 && entry.bits == 0;
    case BlockType::with_tree:
    case BlockType::treeless:
      return entry.length < tokens;
    case BlockType::remainder:
      return false;
  }
  return false;
}

TokenBits token_bits(TokenCode code, unsigned word_bits) {
  TokenBits bits{};
  for (unsigned token = 0; token < token_count(code, word_bits); ++token)
    bits[token] = static_cast<std::uint8_t>(raw_bits_of(code, token));
  return bits;
}

std::uint16_t raw_bytes(const RunCounts& run, const TokenBits& bits) {
  std::uint32_t sum = 0;
  for (std::size_t s = 0; s < kSymbols; ++s) sum += std::uint32_t{run[s]} * bits[s];
  return static_cast<std::uint16_t>((sum + 7) / 8);
}

std::size_t write_frame(std::span<const std::byte> tokens, const BlockRules& rules, std::byte* to,
                        std::vector<BlockEntry>& list) {
  std::byte* end = put_header(to, tokens.size(), false);
  BlockWriter writer(rules, end, list);
  while (!tokens.empty()) {
    std::vector<CountedBlock> group;
    for (; group.size() < kGroup && !tokens.empty(); tokens = tokens.subspan(rules.tokens))
      group.push_back(count_block(tokens.first(rules.tokens)));
    end = writer.write(group, tokens.empty());
  }
  return static_cast<std::size_t>(end - to);
}

// ---- Raw blocks

std::optional<std::span<const std::byte>> blocks_of(std::span<const std::byte> frame, std::size_t content) {
  if (content > kLongestFrame || frame.size() < sizeof FrameHeader::bytes) return std::nullopt;
  const auto bytes = static_cast<std::uint32_t>(content);
  const auto descriptor = std::to_integer<unsigned>(frame[4]);
  const bool checksum = (descriptor & FrameHeader::kChecksum) != 0;
  if (!FrameHeader::holds(bytes, descriptor >> 6)) return std::nullopt;
  const FrameHeader header(bytes, descriptor >> 6, checksum);
  const auto own = std::as_bytes(std::span(header.bytes)).first(header.length);
  const std::size_t around = header.length + (checksum ? kChecksumBytes : 0);
  if (!std::ranges::equal(own, frame.first(header.length)) || frame.size() < around) return std::nullopt;
  return frame.subspan(header.length, frame.size() - around);
}

std::size_t write_raw_frame(std::span<const std::byte> bytes, std::byte* to, Checksum checksum) {
  std::byte* end = put_header(to, bytes.size(), checksum == Checksum::written);
  const std::byte* from = bytes.data();
  for_each_raw_block(static_cast<std::uint32_t>(bytes.size()),
                     [&](std::uint32_t, std::uint32_t header, std::uint32_t length) {
                       end = put(end, header, kBlockHeader);
                       copy_long(from, end, length);
                       end += length, from += length;
                     });
  if (checksum == Checksum::written) end = put(end, static_cast<std::uint32_t>(formats::xxh64(bytes)));
  return static_cast<std::size_t>(end - to);
}

std::optional<RawContent> raw_content(std::span<const std::byte> frame, std::size_t bytes) {
  auto rest = blocks_of(frame, bytes);
  if (!rest) return std::nullopt;
  const RawContent content{rest->data() + kBlockHeader, bytes};
  for (std::size_t left = bytes; left > 0;) {
    const std::size_t length = std::min(left, kRawBlock);
    std::byte header[kBlockHeader];
    put(header, block_header(length == left, BlockType::raw, length), kBlockHeader);
    if (rest->size() < kBlockHeader + length || !std::equal(header, header + kBlockHeader, rest->begin()))
      return std::nullopt;
    *rest = rest->subspan(kBlockHeader + length);
    left -= length;
  }
  return rest->empty() ? std::optional(content) : std::nullopt;
}

void copy_content(const RawContent& content, std::span<std::byte> to) {
  std::byte* end = to.data();
  content.each_piece(to.size(), [&](std::span<const std::byte> piece) {
    copy_long(piece.data(), end, piece.size());
    end += piece.size();
  });
}

}  // namespace tdz::uniform
