// SPDX-License-Identifier: Apache-2.0
#include "tests/oracle/uniform.hpp"

#include <algorithm>

#include "codec/chunk/zstd_coder.hpp"
#include "formats/bytes.hpp"
#include "kernels/uniform/frame.hpp"
#include "kernels/uniform/parts.hpp"
#include "kernels/uniform/tree_weights.hpp"

namespace tdz::oracle {

using namespace uniform;
using formats::BlockEntry;
using formats::FrameLengths;

std::optional<Tree> read_tree(std::span<const std::byte> bytes) {
  FseSpace space;
  TreeWeights weights;
  const std::size_t length = read_weights(
      reinterpret_cast<const std::uint8_t*>(bytes.data()),
      static_cast<std::uint32_t>(std::min(bytes.size(), std::size_t{kMostDescription})), space, weights);
  if (length == 0) return std::nullopt;
  Tree tree{{}, weights.longest, {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length)}};
  for (std::size_t s = 0; s < weights.symbols; ++s)
    if (weights.of[s] != 0) tree.lengths[s] = static_cast<std::uint8_t>(tree.longest + 1 - weights.of[s]);
  return tree;
}

namespace {

/// A little-endian number of so many bytes.
std::uint64_t number_of(std::span<const std::byte> bytes) {
  std::uint64_t number = 0;
  for (std::size_t i = bytes.size(); i-- > 0;)
    number = number << 8 | std::to_integer<std::uint64_t>(bytes[i]);
  return number;
}

// ---- A block

/// By the next `longest` bits.
std::vector<std::uint8_t> symbols_by_code(const Tree& tree) {
  std::vector<std::uint8_t> symbols(std::size_t{1} << tree.longest);
  const Codes codes = codes_of(tree);
  for (std::size_t s = 0; s < kSymbols; ++s) {
    if (codes[s].bits == 0) continue;
    const unsigned further = tree.longest - codes[s].bits;
    std::fill_n(symbols.begin() + (codes[s].code << further), 1u << further, static_cast<std::uint8_t>(s));
  }
  return symbols;
}

bool read_stream(std::span<const std::byte> bytes, const Tree& tree, std::span<const std::uint8_t> symbols,
                 std::span<std::byte> tokens) {
  BackwardBits in(bytes);
  if (!in.has_end()) return false;
  for (std::byte& token : tokens) {
    const std::uint8_t symbol = symbols[in.peek(tree.longest)];
    if (tree.lengths[symbol] > in.left()) return false;
    in.skip(tree.lengths[symbol]);
    token = std::byte{symbol};
  }
  return in.left() == 0;
}

bool read_streams(std::span<const std::byte> body, const Tree& tree, std::span<std::byte> tokens) {
  if (body.size() < kJumpTable) return false;
  const auto symbols = symbols_by_code(tree);
  const std::size_t run = tokens.size() / kRuns;
  auto streams = body.subspan(kJumpTable);
  for (std::size_t i = 0; i < kRuns; ++i) {
    const std::size_t length =
        i + 1 < kRuns ? formats::get_le<std::uint16_t>(body.subspan(2 * i)) : streams.size();
    if (length > streams.size()) return false;
    if (!read_stream(streams.first(length), tree, symbols, tokens.subspan(i * run, run))) return false;
    streams = streams.subspan(length);
  }
  return true;
}

/// Fills `tokens`, or returns false. `bytes`: a block of type with_tree or treeless, without its header. The
/// first one sets `tree`.
bool read_literals(std::span<const std::byte> bytes, BlockType type, std::optional<Tree>& tree,
                   std::span<std::byte> tokens) {
  const LiteralsShape shape(tokens.size());
  if (bytes.size() < shape.header + 1 || bytes.back() != std::byte{0}) return false;
  auto body = bytes.subspan(shape.header, bytes.size() - shape.header - 1);
  const bool with_tree = type == BlockType::with_tree;
  if (number_of(bytes.first(shape.header)) != shape.number(with_tree, tokens.size(), body.size()))
    return false;
  if (with_tree) {
    tree = read_tree(body);
    if (tree) body = body.subspan(tree->description.size());
  }
  return tree && read_streams(body, *tree, tokens);
}

// ---- A frame

class BlockReader {
 public:
  BlockReader(std::span<const std::byte> blocks, std::size_t tokens) : rest_(blocks), tokens_(tokens) {}

  bool read(const BlockEntry& entry, bool first_of_group, bool last, std::span<std::byte> tokens) {
    if (first_of_group) coded_ = false;
    if (!is_block(entry, tokens_) || rest_.size() < kBlockHeader + entry.length) return false;
    const auto type = static_cast<BlockType>(entry.type);
    const std::size_t said = type == BlockType::rle ? tokens_ : entry.length;
    if (number_of(rest_.first(kBlockHeader)) != block_header(last, type, said)) return false;
    const auto content = rest_.subspan(kBlockHeader, entry.length);
    rest_ = rest_.subspan(kBlockHeader + entry.length);
    return read(content, type, entry.bits, tokens);
  }
  bool at_end() const { return rest_.empty(); }

 private:
  bool read(std::span<const std::byte> content, BlockType type, unsigned bits, std::span<std::byte> tokens) {
    if (type == BlockType::raw) return std::ranges::copy(content, tokens.begin()).out == tokens.end();
    if (type == BlockType::rle) return std::ranges::fill(tokens, content[0]) == tokens.end();
    if (type == BlockType::with_tree && coded_) return false;
    coded_ = true;
    if (!read_literals(content, type, tree_, tokens)) return false;
    return bits == 0 || bits == tree_->longest;  // 0: not told
  }

  std::span<const std::byte> rest_;
  std::size_t tokens_;
  std::optional<Tree> tree_;
  bool coded_ = false;  ///< a block of this group had codes
};

/// Fills `tokens` with blocks as the list says. False: they are not exactly so, or break a rule of section 4.
bool read_frame(std::span<const std::byte> frame, std::span<const BlockEntry> list, std::size_t block_tokens,
                std::span<std::byte> tokens) {
  const auto blocks = blocks_of(frame, tokens.size());
  if (!blocks || tokens.size() != list.size() * block_tokens) return false;
  BlockReader reader(*blocks, block_tokens);
  for (std::size_t b = 0; b < list.size(); ++b) {
    const bool last = b + 1 == list.size();
    if (!reader.read(list[b], b % kGroup == 0, last, tokens.subspan(b * block_tokens, block_tokens)))
      return false;
  }
  return reader.at_end();
}

// ---- A chunk

/// Frames to substreams. A frame holds uniform blocks of one lane, raw bits of one column, or what lies
/// between.
class FrameReader {
 public:
  FrameReader(const ParsedChunk& chunk, std::span<const std::byte> packed)
      : frames_(chunk.record.frames), list_(chunk.record.blocks), packed_(packed) {}

  bool read(std::span<const Part> parts, std::span<std::byte> substreams) {
    Front<std::byte> out(substreams);
    while (!parts.empty()) {
      const auto other = std::ranges::find_if_not(parts, is_ordinary);
      const auto count = std::max<std::size_t>(1, static_cast<std::size_t>(other - parts.begin()));
      std::size_t bytes = 0;
      for (const Part& part : parts.first(count)) {
        bytes += part.bytes;
        if (part.kind == PartKind::remainder) list_.take(1);
      }
      if (!read_frames(parts[0], out.take(bytes)) || out.bad()) return false;
      parts = parts.subspan(count);
    }
    return frames_.used_all() && list_.used_all() && packed_.used_all() && out.used_all();
  }

 private:
  /// Frames that hold exactly these bytes.
  bool read_frames(const Part& part, std::span<std::byte> bytes) {
    while (!bytes.empty()) {
      const FrameLengths* lengths = frames_.next();
      if (lengths == nullptr || lengths->unpacked > bytes.size()) return false;
      const auto frame = packed_.take(lengths->packed);
      const auto out = bytes.first(lengths->unpacked);
      const bool last = out.size() == bytes.size();
      if (packed_.bad() || out.empty() || !read_frame_of(part, last, frame, out)) return false;
      bytes = bytes.subspan(out.size());
    }
    return true;
  }

  bool read_frame_of(const Part& part, bool last, std::span<const std::byte> frame,
                     std::span<std::byte> out) {
    if (part.kind == PartKind::raw) {
      const auto raw = raw_content(frame, out.size());
      if (raw) copy_content(*raw, out);
      return raw.has_value();
    }
    if (part.kind != PartKind::blocks) return bool(zstd_.decode(frame, out));
    const std::size_t blocks = out.size() / part.block;
    if (out.size() % part.block != 0 || (!last && blocks % kGroup != 0)) return false;
    const auto entries = list_.take(blocks);
    return !list_.bad() && read_frame(frame, entries, part.block, out);
  }

  Front<const FrameLengths> frames_;
  Front<const BlockEntry> list_;
  Front<const std::byte> packed_;
  ZstdDecoder zstd_;
};

/// Tokens of words, raw bits that fill their bytes, and zeros where bits are unused.
class RawBitsCheck {
 public:
  RawBitsCheck(const Part& part, std::span<const std::byte> raw)
      : bits_(token_bits(part.code, part.word_bits)),
        tokens_(token_count(part.code, part.word_bits)),
        raw_(raw) {}

  bool run(std::span<const std::byte> tokens, std::uint16_t bytes) {
    std::size_t sum = 0;
    for (const std::byte token : tokens) {
      const auto value = std::to_integer<unsigned>(token);
      if (value >= tokens_) return false;
      sum += bits_[value];
    }
    const auto own = raw_.take(bytes);
    if (raw_.bad() || bytes != (sum + 7) / 8) return false;
    return bits_at(own, 0, static_cast<unsigned>(8 * own.size() - sum)) == 0;
  }
  bool used_all() const { return raw_.used_all(); }

 private:
  TokenBits bits_;
  unsigned tokens_;
  Front<const std::byte> raw_;
};

/// The runs of all lanes of one uniform column.
bool check_column(std::span<const Part> lanes, std::span<const std::byte> tokens,
                  Front<const BlockEntry>& list, RawBitsCheck& raw) {
  for (const Part& part : lanes) {
    const std::size_t run = part.block / kRuns;
    for (std::size_t left = part.bytes; left > 0;) {
      const BlockEntry* entry = list.next();
      if (entry == nullptr || (entry->type == 4) != (part.kind == PartKind::remainder)) return false;
      if (part.kind == PartKind::remainder && (entry->length != 0 || entry->bits != 0)) return false;
      for (const std::uint16_t bytes : entry->raw) {
        const auto own = tokens.first(std::min(left, run));
        if (!raw.run(own, bytes)) return false;
        tokens = tokens.subspan(own.size());
        left -= own.size();
      }
    }
  }
  return raw.used_all();
}

bool is_of_lane(const Part& part) {
  return part.kind == PartKind::blocks || part.kind == PartKind::remainder;
}

/// All runs. Raw bits stand behind the lanes of their column, even if they have no bytes.
bool check_runs(std::span<const Part> parts, std::span<const std::byte> substreams,
                std::span<const BlockEntry> entries) {
  Front<const BlockEntry> list(entries);
  Front<const std::byte> in(substreams);
  while (!parts.empty()) {
    const auto behind = std::ranges::find_if_not(parts, is_of_lane);
    const auto lanes = parts.first(static_cast<std::size_t>(behind - parts.begin()));
    if (lanes.empty()) {
      in.take(parts[0].bytes);
      parts = parts.subspan(1);
      continue;
    }
    std::size_t bytes = 0;
    for (const Part& part : lanes) bytes += part.bytes;
    const auto tokens = in.take(bytes);
    RawBitsCheck raw(lanes[0], in.take(behind->bytes));
    if (!check_column(lanes, tokens, list, raw)) return false;
    parts = parts.subspan(lanes.size() + 1);
  }
  return true;
}

}  // namespace

std::optional<std::vector<std::byte>> read_by_list(const ParsedChunk& chunk,
                                                   std::span<const std::byte> packed) {
  const auto parts = parts_of(chunk.plan, chunk.record.substreams, chunk.record.original_bytes);
  std::vector<std::byte> substreams(static_cast<std::size_t>(substream_bytes(chunk.record)));
  if (!FrameReader(chunk, packed).read(parts, substreams)) return std::nullopt;
  if (!check_runs(parts, substreams, chunk.record.blocks)) return std::nullopt;
  return substreams;
}

}  // namespace tdz::oracle
