// SPDX-License-Identifier: Apache-2.0
// Package-merge (Larmore and Hirschberg, JACM 1990). Each level merges the symbols, by count, with pairs of
// the level before. Of the last level the cheapest 2 n - 2 items are taken; a pair takes two items of its
// level. A symbol's code has one bit for each level that takes it. In every level symbols are taken in the
// order of their counts, so it is enough to remember which items are symbols.
//
// Each thread of a team merges its part of a level; a search tells how many symbols stand before it (merge
// path: Odeh, Green, Mwassi, Shmueli, Birk, IPDPSW 2012).
#pragma once

#include <cstdint>

#include "kernels/uniform/team.hpp"
#include "kernels/uniform/tree_codes.hpp"

namespace tdz::uniform {

/// What a team shares while it looks for lengths.
struct MergeSpace {
  std::uint32_t keys[kSymbols];          ///< the count, and below it 8 bits of the symbol; in order
  std::uint32_t level[2][2 * kSymbols];  ///< the last level, and the one before
  std::uint32_t is_symbol[kLongestCode][2 * kSymbols / 32];
};

/// Puts the symbols with a count in order and returns their number.
template <class Team>
TDZ_HOST_DEVICE unsigned sort_counts(Team team, const std::uint32_t* counts, unsigned symbols,
                                     MergeSpace& space) {
  unsigned found = 0;
  if constexpr (Team::kAlone) {
    for (unsigned s = 0; s < symbols; ++s)
      if (counts[s] != 0) space.keys[found++] = counts[s] << 8 | s;
    team.sort(space.keys, found);
    return found;
  }
  std::uint32_t* all = space.level[0];  // with those that have no count, in front
  for (unsigned s = team.rank(); s < symbols; s += team.size()) {
    all[s] = counts[s] == 0 ? 0 : counts[s] << 8 | s;
    found += counts[s] != 0;
  }
  found = team.sum(found);
  team.sync();
  team.sort(all, symbols);
  for (unsigned i = team.rank(); i < found; i += team.size()) space.keys[i] = all[symbols - found + i];
  team.sync();
  return found;
}

/// A level's symbols, and the pairs of the level before: sums of neighbours; an odd last one is left out.
struct MergeLists {
  const std::uint32_t* keys;
  const std::uint32_t* before;
  unsigned symbols, pairs;

  TDZ_HOST_DEVICE std::uint32_t symbol(unsigned i) const { return keys[i] >> 8; }
  TDZ_HOST_DEVICE std::uint32_t pair(unsigned i) const { return before[2 * i] + before[2 * i + 1]; }
  TDZ_HOST_DEVICE unsigned items() const { return symbols + pairs; }
  /// Among equal weights symbols stand first.
  TDZ_HOST_DEVICE bool is_symbol_next(unsigned symbol_at, unsigned pair_at) const {
    return pair_at == pairs || (symbol_at < symbols && symbol(symbol_at) <= pair(pair_at));
  }
  /// Among the first items of the merged level.
  TDZ_HOST_DEVICE unsigned symbols_before(unsigned item) const {
    unsigned low = item > pairs ? item - pairs : 0, high = item < symbols ? item : symbols;
    while (low < high) {
      const unsigned middle = (low + high) / 2;
      symbol(middle) <= pair(item - 1 - middle) ? low = middle + 1 : high = middle;
    }
    return low;
  }
};

/// Precondition: no bit of `is_symbol` is set.
template <class Team>
TDZ_HOST_DEVICE void merge_lists(Team team, const MergeLists& lists, std::uint32_t* level,
                                 std::uint32_t* is_symbol) {
  const unsigned part = (lists.items() + team.size() - 1) / team.size();
  const unsigned begin = part * team.rank() < lists.items() ? part * team.rank() : lists.items();
  const unsigned end = begin + part < lists.items() ? begin + part : lists.items();
  unsigned s = lists.symbols_before(begin);
  std::uint32_t bits = 0;
  for (unsigned at = begin; at < end; ++at) {
    const bool symbol = lists.is_symbol_next(s, at - s);
    bits |= (symbol ? 1u : 0u) << at % 32;
    level[at] = symbol ? lists.symbol(s) : lists.pair(at - s);
    s += symbol;
    if (at % 32 != 31 && at + 1 != end) continue;
    team.set_bits(is_symbol[at / 32], bits);
    bits = 0;
  }
  team.sync();
}

/// The symbols among the first items of a level.
template <class Team>
TDZ_HOST_DEVICE unsigned symbols_among(Team team, const std::uint32_t* is_symbol, unsigned items) {
  unsigned ones = 0;
  for (unsigned w = team.rank(); 32 * w < items; w += team.size()) {
    const unsigned here = items - 32 * w;
    ones += ones_of(here >= 32 ? is_symbol[w] : is_symbol[w] & ((1u << here) - 1));
  }
  return team.sum(ones);
}

/// As code_lengths(), of symbols below `symbols`; fills `lengths` for these. Counts and lengths lie where the
/// whole team sees them.
template <class Team>
TDZ_HOST_DEVICE void find_lengths(Team team, const std::uint32_t* counts, unsigned symbols, unsigned limit,
                                  MergeSpace& space, std::uint8_t* lengths) {
  const unsigned n = sort_counts(team, counts, symbols, space);
  for (unsigned i = team.rank(); i < limit * (2 * kSymbols / 32); i += team.size())
    (&space.is_symbol[0][0])[i] = 0;
  team.sync();
  unsigned items = 0;
  for (unsigned i = 0; i < limit; ++i) {
    const MergeLists lists{space.keys, space.level[(i + 1) % 2], n, items / 2};
    merge_lists(team, lists, space.level[i % 2], space.is_symbol[i]);
    items = n + items / 2;
  }
  unsigned taken_symbols[kLongestCode];
  for (unsigned i = limit, taken = 2 * n - 2; i-- > 0;) {
    taken_symbols[i] = symbols_among(team, space.is_symbol[i], taken);
    taken = 2 * (taken - taken_symbols[i]);
  }
  for (unsigned s = team.rank(); s < symbols; s += team.size()) lengths[s] = 0;
  team.sync();
  for (unsigned i = team.rank(); i < n; i += team.size()) {
    unsigned bits = 0;
    for (unsigned level = 0; level < limit; ++level) bits += i < taken_symbols[level];
    lengths[space.keys[i] & 255] = static_cast<std::uint8_t>(bits);
  }
  team.sync();
}

}  // namespace tdz::uniform
