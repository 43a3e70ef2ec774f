// SPDX-License-Identifier: Apache-2.0
#include "kernels/uniform/tree.hpp"

#include <algorithm>

#include "kernels/uniform/tree_text.hpp"
#include "kernels/uniform/tree_weights.hpp"

namespace tdz::uniform {

std::optional<Tree> write_tree(const Lengths& lengths) {
  TextSpace space;
  std::uint8_t text[kLongestText];
  const unsigned bytes = describe_tree(OneThread(), lengths.data(), kSymbols, space, text);
  if (bytes == 0) return std::nullopt;
  const auto description = std::as_bytes(std::span(text)).first(bytes);
  return Tree{lengths, *std::ranges::max_element(lengths), {description.begin(), description.end()}};
}

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

Codes codes_of(const Tree& tree) {
  Codes codes{};
  CodeSpace space;
  assign_codes(OneThread(), tree.lengths.data(), kSymbols, tree.longest, space, codes.data());
  return codes;
}

}  // namespace tdz::uniform
