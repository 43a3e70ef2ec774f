// SPDX-License-Identifier: Apache-2.0
// Package-merge (Larmore and Hirschberg, JACM 1990). Each level merges the symbols, by count, with pairs of
// the level before. Of the last level the cheapest 2 n - 2 items are taken; a pair takes two items of its
// level. A symbol's code has one bit for each level that takes it. In every level symbols are taken in the
// order of their counts, so it is enough to remember which items are symbols.
//
// One thread merges from the front. In a team each item finds its place in the merged level by itself: its
// own number, and the number of items of the other list that stand before it.
#pragma once

#include <cstdint>

#include "kernels/uniform/code_lengths.hpp"
#include "kernels/uniform/team.hpp"

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
  } else {
    std::uint32_t* all = space.level[0];
    for (unsigned s = team.rank(); s < symbols; s += team.size()) {
      all[s] = counts[s] == 0 ? 0 : counts[s] << 8 | s;
      found += counts[s] != 0;
    }
    found = team.sum(found);
    team.sync();
    constexpr unsigned kMost = kSymbols / Team::size();
    const unsigned own = (symbols + Team::size() - 1) / Team::size();
    unsigned smaller[kMost] = {};  // keys, with those that have no count
    for (unsigned other = 0; other < symbols; ++other)
      for (unsigned i = 0; i < kMost && i < own; ++i)
        smaller[i] += all[other] < all[team.rank() + i * Team::size()];
    for (unsigned i = 0; i < kMost && i < own; ++i) {
      const unsigned s = team.rank() + i * Team::size();
      if (s < symbols && all[s] != 0) space.keys[smaller[i] - (symbols - found)] = all[s];
    }
    team.sync();
    return found;
  }
}

/// A level's symbols, and the pairs of the level before: sums of neighbours; an odd last one is left out.
struct MergeLists {
  const std::uint32_t* keys;
  const std::uint32_t* before;
  unsigned symbols, pairs;

  TDZ_HOST_DEVICE std::uint32_t symbol(unsigned i) const { return keys[i] >> 8; }
  TDZ_HOST_DEVICE std::uint32_t pair(unsigned i) const { return before[2 * i] + before[2 * i + 1]; }
  TDZ_HOST_DEVICE unsigned pairs_below(std::uint32_t weight) const {
    unsigned low = 0, high = pairs;
    while (low < high) {
      const unsigned middle = (low + high) / 2;
      pair(middle) < weight ? low = middle + 1 : high = middle;
    }
    return low;
  }
  TDZ_HOST_DEVICE unsigned symbols_up_to(std::uint32_t weight) const {
    unsigned low = 0, high = symbols;
    while (low < high) {
      const unsigned middle = (low + high) / 2;
      symbol(middle) <= weight ? low = middle + 1 : high = middle;
    }
    return low;
  }
};

/// Among equal weights symbols stand first. Precondition: no bit of `is_symbol` is set.
template <class Team>
TDZ_HOST_DEVICE void merge_lists(Team team, const MergeLists& lists, std::uint32_t* level,
                                 std::uint32_t* is_symbol) {
  if constexpr (Team::kAlone) {
    for (unsigned s = 0, p = 0; s + p < lists.symbols + lists.pairs;) {
      const bool symbol = p == lists.pairs || (s < lists.symbols && lists.symbol(s) <= lists.pair(p));
      if (symbol) is_symbol[(s + p) / 32] |= 1u << (s + p) % 32;
      const unsigned at = s + p;
      level[at] = symbol ? lists.symbol(s++) : lists.pair(p++);
    }
  } else {
    for (unsigned s = team.rank(); s < lists.symbols; s += team.size()) {
      const unsigned at = s + lists.pairs_below(lists.symbol(s));
      level[at] = lists.symbol(s);
      team.set_bits(is_symbol[at / 32], 1u << at % 32);
    }
    for (unsigned p = team.rank(); p < lists.pairs; p += team.size())
      level[p + lists.symbols_up_to(lists.pair(p))] = lists.pair(p);
    team.sync();
  }
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
