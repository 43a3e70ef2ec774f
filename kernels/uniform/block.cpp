// SPDX-License-Identifier: Apache-2.0
#include "kernels/uniform/block.hpp"

#include <algorithm>
#include <vector>

#include "formats/bytes.hpp"
#include "kernels/uniform/bit_stream.hpp"

namespace tdz::uniform {
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

// ---- A stream: the last token first, so that a reader from the end meets the first one first

/// The number of tokens is a multiple of 4.
std::size_t write_stream(std::span<const std::byte> tokens, const Codes& codes, std::byte* to) {
  BitWriter out(to);
  for (std::size_t i = tokens.size(); i > 0; i -= 4) {
    for (std::size_t j = 1; j <= 4; ++j) {
      const Code code = codes[std::to_integer<std::size_t>(tokens[i - j])];
      out.put(code.code, code.bits);
    }
    out.flush();
  }
  return out.end();
}

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

RunCounts count_run(std::span<const std::byte> tokens) {
  RunCounts counts{};
  for (const std::byte token : tokens) ++counts[std::to_integer<std::size_t>(token)];
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
  const Codes codes = codes_of(tree);
  const LiteralsShape shape(block.tokens.size());
  std::byte* end = to + shape.header;
  if (with_tree) end = std::ranges::copy(tree.description, end).out;
  std::byte* jumps = end;
  end += kJumpTable;
  const std::size_t run = block.tokens.size() / kRuns;
  for (std::size_t i = 0; i < kRuns; ++i) {
    const std::size_t length = write_stream(block.tokens.subspan(i * run, run), codes, end);
    if (i + 1 < kRuns) formats::set_le(std::span(jumps + 2 * i, 2), static_cast<std::uint16_t>(length));
    end += length;
  }
  const auto packed = static_cast<std::size_t>(end - to) - shape.header;
  const std::uint64_t number = shape.number(with_tree, block.tokens.size(), packed);
  for (std::size_t i = 0; i < shape.header; ++i) to[i] = static_cast<std::byte>(number >> (8 * i));
  *end++ = std::byte{0};  // no sequences
  return static_cast<std::size_t>(end - to);
}

bool read_literals(std::span<const std::byte> bytes, BlockType type, std::optional<Tree>& tree,
                   std::span<std::byte> tokens) {
  const LiteralsShape shape(tokens.size());
  if (bytes.size() < shape.header + 1 || bytes.back() != std::byte{0}) return false;
  auto body = bytes.subspan(shape.header, bytes.size() - shape.header - 1);
  std::uint64_t number = 0;
  for (std::size_t i = shape.header; i-- > 0;)
    number = number << 8 | std::to_integer<std::uint64_t>(bytes[i]);
  const bool with_tree = type == BlockType::with_tree;
  if (number != shape.number(with_tree, tokens.size(), body.size())) return false;
  if (with_tree) {
    tree = read_tree(body);
    if (tree) body = body.subspan(tree->description.size());
  }
  return tree && read_streams(body, *tree, tokens);
}

}  // namespace tdz::uniform
