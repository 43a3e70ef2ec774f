// SPDX-License-Identifier: Apache-2.0
// Package-merge (Larmore and Hirschberg, JACM 1990). Each level merges the symbols, by count, with pairs of
// the level before. Of the last level the cheapest 2 n - 2 items are taken; a pair takes two items of its
// level. A symbol's code has one bit for each level that takes it. In every level symbols are taken in the
// order of their counts, so it is enough to remember which items are symbols.
#include "kernels/uniform/code_lengths.hpp"

#include <algorithm>
#include <vector>

namespace tdz::uniform {
namespace {

struct Level {
  std::vector<std::uint32_t> weights;
  std::vector<bool> is_symbol;
};

std::vector<std::uint8_t> by_count(const Counts& counts) {
  std::vector<std::uint8_t> symbols;
  for (std::size_t s = 0; s < kSymbols; ++s)
    if (counts[s] != 0) symbols.push_back(static_cast<std::uint8_t>(s));
  std::ranges::stable_sort(symbols, {}, [&](std::uint8_t s) { return counts[s]; });
  return symbols;
}

/// The sums of neighbours; an odd last one is left out.
std::vector<std::uint32_t> pairs_of(const std::vector<std::uint32_t>& weights) {
  std::vector<std::uint32_t> pairs;
  for (std::size_t i = 1; i < weights.size(); i += 2) pairs.push_back(weights[i - 1] + weights[i]);
  return pairs;
}

Level merge(const std::vector<std::uint32_t>& symbols, const std::vector<std::uint32_t>& pairs) {
  Level level;
  std::size_t s = 0, p = 0;
  while (s < symbols.size() || p < pairs.size()) {
    const bool symbol = p == pairs.size() || (s < symbols.size() && symbols[s] <= pairs[p]);
    level.is_symbol.push_back(symbol);
    level.weights.push_back(symbol ? symbols[s++] : pairs[p++]);
  }
  return level;
}

}  // namespace

Lengths code_lengths(const Counts& counts, unsigned limit) {
  const auto symbols = by_count(counts);
  std::vector<std::uint32_t> weights;
  for (const std::uint8_t s : symbols) weights.push_back(counts[s]);
  std::vector<Level> levels(1, merge(weights, {}));
  while (levels.size() < limit) levels.push_back(merge(weights, pairs_of(levels.back().weights)));
  Lengths lengths{};
  std::size_t taken = 2 * symbols.size() - 2;
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    const auto begin = level->is_symbol.begin();
    const auto count =
        static_cast<std::size_t>(std::count(begin, begin + static_cast<std::ptrdiff_t>(taken), true));
    for (std::size_t i = 0; i < count; ++i) ++lengths[symbols[i]];
    taken = 2 * (taken - count);
  }
  return lengths;
}

}  // namespace tdz::uniform
