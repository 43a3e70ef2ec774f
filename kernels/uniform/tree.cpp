// SPDX-License-Identifier: Apache-2.0
#include "kernels/uniform/tree.hpp"

#include <algorithm>
#include <bit>

#include "kernels/uniform/fse_weights.hpp"
#include "kernels/uniform/tree_text.hpp"

namespace tdz::uniform {
namespace {

/// Completes the weights and turns them into lengths.
std::optional<Tree> tree_of(Weights weights) {
  std::uint32_t sum = 0;
  for (const std::uint8_t w : weights) sum += w == 0 ? 0 : 1u << (w - 1);
  if (sum == 0) return std::nullopt;
  Tree tree;
  tree.longest = static_cast<unsigned>(std::bit_width(sum));
  const std::uint32_t missing = (1u << tree.longest) - sum;
  if (!std::has_single_bit(missing) || tree.longest > kLongestCode) return std::nullopt;
  weights.push_back(static_cast<std::uint8_t>(std::bit_width(missing)));
  const auto ones = std::ranges::count(weights, 1);
  if (ones < 2 || ones % 2 != 0) return std::nullopt;
  for (std::size_t s = 0; s < weights.size(); ++s)
    if (weights[s] != 0) tree.lengths[s] = static_cast<std::uint8_t>(tree.longest + 1 - weights[s]);
  return tree;
}

// ---- Weights of four bits each

Weights read_direct(std::span<const std::byte> bytes, std::size_t count) {
  Weights weights;
  for (std::size_t i = 0; i < count; ++i)
    weights.push_back(std::to_integer<std::uint8_t>(bytes[i / 2] >> (i % 2 == 0 ? 4 : 0) & std::byte{15}));
  return weights;
}

/// The bytes of a description, by its first one.
std::size_t description_bytes(std::size_t first) {
  return first <= kDirect ? 1 + first : 1 + (first - kDirect + 1) / 2;
}

}  // namespace

std::optional<Tree> write_tree(const Lengths& lengths) {
  TextSpace space;
  std::uint8_t text[kLongestText];
  const unsigned bytes = describe_tree(OneThread(), lengths.data(), kSymbols, space, text);
  if (bytes == 0) return std::nullopt;
  const auto description = std::as_bytes(std::span(text)).first(bytes);
  return Tree{lengths, *std::ranges::max_element(lengths), {description.begin(), description.end()}};
}

std::optional<Tree> read_tree(std::span<const std::byte> bytes) {
  if (bytes.empty()) return std::nullopt;
  const auto first = std::to_integer<std::size_t>(bytes[0]);
  const std::size_t length = description_bytes(first);
  if (length > bytes.size()) return std::nullopt;
  const auto listed = bytes.subspan(1, length - 1);
  auto weights = first > kDirect ? read_direct(listed, first - kDirect) : read_fse_weights(listed);
  if (!weights || std::ranges::any_of(*weights, [](auto w) { return w > kLargestWeight; }))
    return std::nullopt;
  auto tree = tree_of(*std::move(weights));
  if (tree) tree->description.assign(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length));
  return tree;
}

Codes codes_of(const Tree& tree) {
  Codes codes{};
  CodeSpace space;
  assign_codes(OneThread(), tree.lengths.data(), kSymbols, tree.longest, space, codes.data());
  return codes;
}

}  // namespace tdz::uniform
