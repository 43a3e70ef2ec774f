// SPDX-License-Identifier: Apache-2.0
#include "kernels/uniform/tree.hpp"

#include <algorithm>

#include "kernels/uniform/package_merge.hpp"
#include "kernels/uniform/tree_text.hpp"

namespace tdz::uniform {

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

}  // namespace tdz::uniform
