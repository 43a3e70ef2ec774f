// SPDX-License-Identifier: Apache-2.0
// A Huffman tree as a zstd block describes it, and its codes: RFC 8878, sections 4.2.1 and 4.2.1.3. Pure
// functions, thread-safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kernels/uniform/tree_codes.hpp"

namespace tdz::uniform {

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

}  // namespace tdz::uniform
