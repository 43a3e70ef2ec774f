// SPDX-License-Identifier: Apache-2.0
// A uniform block, as one zstd block: FORMAT.md, section 4; RFC 8878, section 3.1.1.3.1. Pure functions,
// thread-safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "kernels/uniform/block_layout.hpp"
#include "kernels/uniform/tree.hpp"

namespace tdz::uniform {

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
