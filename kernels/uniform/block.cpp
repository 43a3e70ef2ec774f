// SPDX-License-Identifier: Apache-2.0
#include "kernels/uniform/block.hpp"

#include <algorithm>

#include "formats/bytes.hpp"
#include "kernels/uniform/package_merge.hpp"
#include "kernels/uniform/tree_text.hpp"

namespace tdz::uniform {

// ---- Trees

Lengths code_lengths(const Counts& counts, unsigned limit) {
  Lengths lengths{};
  MergeSpace space;
  find_lengths(OneThread(), counts.data(), kSymbols, limit, space, lengths.data());
  return lengths;
}

std::optional<Tree> write_tree(const Lengths& lengths) {
  TextSpace space;
  std::uint8_t text[kLongestText];
  const unsigned bytes = describe_tree(OneThread(), lengths.data(), kSymbols, space, text);
  if (bytes == 0) return std::nullopt;
  const auto description = std::as_bytes(std::span(text)).first(bytes);
  return Tree{lengths, *std::ranges::max_element(lengths), {description.begin(), description.end()}};
}

Codes codes_of(const Tree& tree) {
  Codes codes{};
  CodeSpace space;
  assign_codes(OneThread(), tree.lengths.data(), kSymbols, tree.longest, space, codes.data());
  return codes;
}

// ---- Blocks

namespace {

std::size_t stream_bytes(const RunCounts& counts, const Tree& tree) {
  std::uint32_t bits = 0;
  for (std::size_t s = 0; s < kSymbols; ++s) bits += std::uint32_t{counts[s]} * tree.lengths[s];
  return uniform::stream_bytes(bits);
}

bool has_all_codes(const CountedBlock& block, const Tree& tree) {
  for (std::size_t s = 0; s < kSymbols; ++s)
    if (tree.lengths[s] == 0 && block.count(s) != 0) return false;
  return true;
}

// ---- Streams: the last token first, so that a reader from the end meets the first one first

/// A code on top and its bits in the lowest byte: one load, one shift and one addition for each token.
using TopCodes = std::array<std::uint64_t, kSymbols>;

constexpr std::uint64_t top_code(std::uint64_t code, unsigned bits) {
  return bits == 0 ? 0 : code << (64 - bits) | bits;
}

TopCodes top_codes(const Tree& tree) {
  const Codes codes = codes_of(tree);
  TopCodes top;
  for (std::size_t s = 0; s < kSymbols; ++s) top[s] = top_code(codes[s].code, codes[s].bits);
  return top;
}

/// One stream while it is written. Streams are written in turn, so bytes behind its end are another stream's.
/// The bits that wait stand on top, the newest uppermost. Below them is what was written, and counts of bits:
/// four codes of 11 bits and 7 bits that wait leave the lowest 13 bits to them.
class StreamWriter {
 public:
  StreamWriter(std::byte* to, std::size_t bytes) : to_(to), end_(to + bytes) {}

  /// The four tokens that end before `behind`.
  void put_four(const std::byte* behind, const TopCodes& codes) {
    for (std::size_t j = 1; j <= 4; ++j) put(codes[std::to_integer<std::size_t>(*(behind - j))]);
    count_ &= 0xFF;
    if (end_ - to_ < std::ptrdiff_t{sizeof held_}) return flush_bytes();
    formats::set_le(std::span(to_, sizeof held_), waiting());
    to_ += count_ / 8;
    count_ %= 8;
  }
  void end() {
    put(top_code(1, 1));
    count_ &= 0xFF;
    for (std::uint64_t left = waiting(); to_ != end_; left >>= 8) *to_++ = static_cast<std::byte>(left);
  }

 private:
  void put(std::uint64_t code) {
    held_ = held_ >> (code & 63) | code;
    count_ += code;
  }
  std::uint64_t waiting() const { return held_ >> (64 - count_); }
  void flush_bytes() {
    for (std::uint64_t left = waiting(); count_ >= 8; count_ -= 8, left >>= 8)
      *to_++ = static_cast<std::byte>(left);
  }

  std::byte* to_;
  std::byte* end_;
  std::uint64_t held_ = 0;
  std::uint64_t count_ = 0;  ///< in the lowest byte
};

/// Two streams side by side: each waits for its own shifts. The number of tokens is a multiple of 4.
void write_streams(std::span<const std::byte> a, std::span<const std::byte> b, const TopCodes& codes,
                   StreamWriter to_a, StreamWriter to_b) {
  for (std::size_t i = a.size(); i > 0; i -= 4) {
    to_a.put_four(a.data() + i, codes);
    to_b.put_four(b.data() + i, codes);
  }
  to_a.end();
  to_b.end();
}

}  // namespace

// ---- Counting

std::uint32_t CountedBlock::count(std::size_t symbol) const {
  std::uint32_t sum = 0;
  for (const RunCounts& run : runs) sum += run[symbol];
  return sum;
}

bool CountedBlock::is_one_symbol() const {
  return count(std::to_integer<std::size_t>(tokens[0])) == tokens.size();
}

/// Four tables, so that equal tokens side by side do not wait for one another.
RunCounts count_run(std::span<const std::byte> tokens) {
  std::array<RunCounts, 4> tables{};
  std::size_t i = 0;
  for (; i + 4 <= tokens.size(); i += 4)
    for (std::size_t j = 0; j < 4; ++j) ++tables[j][std::to_integer<std::size_t>(tokens[i + j])];
  for (; i < tokens.size(); ++i) ++tables[0][std::to_integer<std::size_t>(tokens[i])];
  RunCounts counts;
  for (std::size_t s = 0; s < kSymbols; ++s)
    counts[s] = static_cast<std::uint16_t>(tables[0][s] + tables[1][s] + tables[2][s] + tables[3][s]);
  return counts;
}

CountedBlock count_block(std::span<const std::byte> tokens) {
  CountedBlock block{tokens};
  const std::size_t run = tokens.size() / kRuns;
  for (std::size_t i = 0; i < kRuns; ++i) block.runs[i] = count_run(tokens.subspan(i * run, run));
  return block;
}

// ---- Huffman literals, and no sequences

std::optional<std::size_t> literals_bytes(const CountedBlock& block, const Tree& tree, bool with_tree) {
  if (!has_all_codes(block, tree)) return std::nullopt;
  std::size_t bytes = LiteralsShape(block.tokens.size()).header + kJumpTable + 1;
  if (with_tree) bytes += tree.description.size();
  for (const RunCounts& run : block.runs) bytes += stream_bytes(run, tree);
  return bytes;
}

std::size_t write_literals(const CountedBlock& block, const Tree& tree, bool with_tree, std::byte* to) {
  const TopCodes codes = top_codes(tree);
  const LiteralsShape shape(block.tokens.size());
  std::byte* end = to + shape.header;
  if (with_tree) end = std::ranges::copy(tree.description, end).out;
  std::byte* jumps = end;
  end += kJumpTable;
  const std::size_t run = block.tokens.size() / kRuns;
  for (std::size_t i = 0; i < kRuns; i += 2) {
    const std::size_t first = stream_bytes(block.runs[i], tree),
                      second = stream_bytes(block.runs[i + 1], tree);
    write_streams(block.tokens.subspan(i * run, run), block.tokens.subspan((i + 1) * run, run), codes,
                  {end, first}, {end + first, second});
    formats::set_le(std::span(jumps + 2 * i, 2), static_cast<std::uint16_t>(first));
    if (i == 0) formats::set_le(std::span(jumps + 2, 2), static_cast<std::uint16_t>(second));
    end += first + second;
  }
  const auto packed = static_cast<std::size_t>(end - to) - shape.header;
  const std::uint64_t number = shape.number(with_tree, block.tokens.size(), packed);
  for (std::size_t i = 0; i < shape.header; ++i) to[i] = static_cast<std::byte>(number >> (8 * i));
  *end++ = std::byte{0};  // no sequences
  return static_cast<std::size_t>(end - to);
}

}  // namespace tdz::uniform
