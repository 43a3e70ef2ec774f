// SPDX-License-Identifier: Apache-2.0
// A uniform block, as one zstd block, and its Huffman tree: FORMAT.md, section 4; RFC 8878, sections
// 3.1.1.3.1, 4.2.1 and 4.2.1.3. Pure functions, thread-safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kernels/uniform/block_layout.hpp"
#include "kernels/uniform/tree_codes.hpp"

namespace tdz::uniform {

// ---- Trees, as a block describes them, and their codes

struct Tree {
  Lengths lengths{};
  unsigned longest = 0;
  std::vector<std::byte> description{};
};

/// The lengths, at most `limit`, with the smallest sum of bits. Only symbols with a count have a code.
/// Between equal counts the symbol decides, so the result depends on the counts alone. Precondition: at least
/// two symbols have a count, the sum of counts is below 2^24, and limit is 8 to 11.
Lengths code_lengths(const Counts& counts, unsigned limit);

using Codes = std::array<Code, kSymbols>;

/// The tree of these lengths, if a block can describe it. Precondition: they are a full tree's, at most
/// kLongestCode.
std::optional<Tree> write_tree(const Lengths& lengths);

Codes codes_of(const Tree& tree);

// ---- Blocks

/// How often each token stands in each run. A run has at most 4096 tokens.
using RunCounts = std::array<std::uint16_t, kSymbols>;
RunCounts count_run(std::span<const std::byte> tokens);

struct CountedBlock {
  std::span<const std::byte> tokens;
  std::array<RunCounts, kRuns> runs{};

  std::uint32_t count(std::size_t symbol) const;
  bool is_one_symbol() const;
};
CountedBlock count_block(std::span<const std::byte> tokens);

/// The length of the block in Huffman codes, without its header; nothing if a token has no code.
std::optional<std::size_t> literals_bytes(const CountedBlock& block, const Tree& tree, bool with_tree);
/// Writes it and returns its length.
std::size_t write_literals(const CountedBlock& block, const Tree& tree, bool with_tree, std::byte* to);

}  // namespace tdz::uniform
