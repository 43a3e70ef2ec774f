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

using Codes = std::array<Code, kSymbols>;

/// The tree of these lengths, if a block can describe it. Precondition: they are a full tree's, at most
/// kLongestCode.
std::optional<Tree> write_tree(const Lengths& lengths);
/// The tree whose description stands at the front of `bytes`. Nothing: no such tree, or a longer code.
std::optional<Tree> read_tree(std::span<const std::byte> bytes);

Codes codes_of(const Tree& tree);

}  // namespace tdz::uniform
