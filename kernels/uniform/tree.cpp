// SPDX-License-Identifier: Apache-2.0
#include "kernels/uniform/tree.hpp"

#include <algorithm>
#include <bit>

#include "kernels/uniform/fse_weights.hpp"
#include "kernels/uniform/tree_weights.hpp"

namespace tdz::uniform {
namespace {

/// Section 4.2.1.1: a first byte below 128 is the length of weights in FSE, another one 127 + their number.
constexpr std::size_t kDirect = 127, kMostDirect = 128, kLongestDescription = kMostDescription;

/// The weight of a symbol is longest + 1 - bits, or 0 without a code. The last one is not listed: it fills
/// up.
Weights weights_of(const Tree& tree) {
  Weights weights;
  for (const std::uint8_t bits : tree.lengths)
    weights.push_back(bits == 0 ? 0 : static_cast<std::uint8_t>(tree.longest + 1 - bits));
  while (weights.back() == 0) weights.pop_back();
  weights.pop_back();
  return weights;
}

// ---- Weights of four bits each

std::vector<std::byte> write_direct(const Weights& weights) {
  std::vector<std::byte> bytes{static_cast<std::byte>(kDirect + weights.size())};
  for (std::size_t i = 0; i < weights.size(); i += 2) {
    const unsigned second = i + 1 < weights.size() ? weights[i + 1] : 0;
    bytes.push_back(static_cast<std::byte>(weights[i] << 4 | second));
  }
  return bytes;
}

}  // namespace

std::optional<Tree> write_tree(const Lengths& lengths) {
  Tree tree{lengths, *std::ranges::max_element(lengths), {}};
  const Weights weights = weights_of(tree);
  if (weights.size() <= kMostDirect) tree.description = write_direct(weights);
  const auto packed = write_fse_weights(weights);
  const bool fits = packed && packed->size() <= kDirect;
  if (fits && (tree.description.empty() || packed->size() + 1 < tree.description.size())) {
    tree.description.assign(1, static_cast<std::byte>(packed->size()));
    tree.description.insert(tree.description.end(), packed->begin(), packed->end());
  }
  if (tree.description.empty()) return std::nullopt;
  return tree;
}

std::optional<Tree> read_tree(std::span<const std::byte> bytes) {
  FseSpace space;
  TreeWeights weights;
  const std::size_t length = read_weights(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                                          static_cast<std::uint32_t>(std::min(bytes.size(), kLongestDescription)),
                                          space, weights);
  if (length == 0) return std::nullopt;
  Tree tree{{}, weights.longest, {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length)}};
  for (std::size_t s = 0; s < weights.symbols; ++s)
    if (weights.of[s] != 0) tree.lengths[s] = static_cast<std::uint8_t>(tree.longest + 1 - weights.of[s]);
  return tree;
}

/// From the longest codes to the shortest, among equal ones by symbol: section 4.2.1.3. Counted in units of
/// the longest code.
Codes codes_of(const Tree& tree) {
  const auto units = [&](unsigned bits) { return 1u << (tree.longest - bits); };
  std::array<std::uint32_t, kLongestCode + 2> next{};  // by bits: where these codes begin
  for (const std::uint8_t bits : tree.lengths)
    if (bits > 0) next[bits - 1] += units(bits);
  for (unsigned bits = tree.longest; bits > 0; --bits) next[bits - 1] += next[bits];
  Codes codes{};
  for (std::size_t s = 0; s < kSymbols; ++s) {
    const std::uint8_t bits = tree.lengths[s];
    if (bits == 0) continue;
    codes[s] = {static_cast<std::uint16_t>(next[bits] >> (tree.longest - bits)), bits};
    next[bits] += units(bits);
  }
  return codes;
}

}  // namespace tdz::uniform
