// SPDX-License-Identifier: Apache-2.0
// Writes the description of a Huffman tree: RFC 8878, sections 4.1 and 4.2.1. One thread or a team does it.
// Two threads of a team walk the states of FSE, one each; all of them put the bits together. The reader
// stands in tree_weights.hpp.
#pragma once

#include <cstdint>

#include "kernels/uniform/team.hpp"
#include "kernels/uniform/tree_codes.hpp"

namespace tdz::uniform {

/// Section 4.2.1.1: a first byte below 128 is the length of weights in FSE, another one 127 + their number.
inline constexpr unsigned kDirect = 127, kMostDirect = 128;
inline constexpr unsigned kLongestText = kDirect + 1;  ///< of a description, in bytes

inline constexpr unsigned kWeightValues = kLongestCode + 1;
inline constexpr unsigned kWeightLog = 6, kWeightStates = 1u << kWeightLog;

/// What a team shares while it writes a description.
struct TextSpace {
  std::uint32_t counts[kWeightValues];  ///< of each weight
  std::uint8_t shares[kWeightValues];   ///< of the 64 states
  std::uint8_t first[kWeightValues];    ///< where this weight's states begin in `states`
  std::uint8_t states[kWeightStates];   ///< by weight, among one weight's in order
  std::uint8_t weights[kSymbols];       ///< of each symbol
  std::uint16_t steps[kSymbols];        ///< of each weight: the bits that it puts, and their number above 8
  std::uint32_t packed[64];             ///< 4 bytes each: at most 12 bytes of shares and 6 bits a weight
  std::uint32_t share_bytes;
  std::uint8_t ends[2];  ///< the states of the first weight and of the second one
};
/// Byte i of what is packed.
TDZ_HOST_DEVICE inline std::uint8_t packed_byte(const TextSpace& space, unsigned i) {
  return static_cast<std::uint8_t>(space.packed[i / 4] >> (i % 4 * 8));
}

// ---- Weights

/// The weight of a symbol is longest + 1 - bits, or 0 without a code. The last one is not listed: it fills
/// up. Returns the number of weights that are listed.
template <class Team>
TDZ_HOST_DEVICE unsigned list_weights(Team team, const std::uint8_t* lengths, unsigned symbols,
                                      std::uint8_t* weights) {
  std::uint32_t longest = 0, last = 0;
  for (unsigned s = team.rank(); s < symbols; s += team.size()) {
    longest = lengths[s] > longest ? lengths[s] : longest;
    last = lengths[s] != 0 ? s : last;
  }
  longest = team.largest(longest);
  for (unsigned s = team.rank(); s < symbols; s += team.size())
    weights[s] = static_cast<std::uint8_t>(lengths[s] == 0 ? 0 : longest + 1 - lengths[s]);
  last = team.largest(last);
  team.sync();
  return last;
}

// ---- Shares of the states: section 4.1.1

/// Every weight that occurs gets a share; what is left over or missing is the most frequent one's.
TDZ_HOST_DEVICE inline void share_states(unsigned weights, TextSpace& space) {
  int left = kWeightStates;
  unsigned most = 0;
  for (unsigned w = 0; w < kWeightValues; ++w) {
    const std::uint32_t part = space.counts[w] * kWeightStates / weights;
    space.shares[w] = static_cast<std::uint8_t>(space.counts[w] != 0 && part == 0 ? 1 : part);
    left -= space.shares[w];
    if (space.shares[w] > space.shares[most]) most = w;
  }
  space.shares[most] = static_cast<std::uint8_t>(space.shares[most] + left);
  for (unsigned w = 0, first = 0; w < kWeightValues; first += space.shares[w++])
    space.first[w] = static_cast<std::uint8_t>(first);
}

/// The i-th share is state 43 i mod 64, because no share is below 1; so state j is the share 3 j mod 64.
template <class Team>
TDZ_HOST_DEVICE void place_states(Team team, TextSpace& space) {
  for (unsigned w = team.rank(); w < kWeightValues; w += team.size()) {
    unsigned next = space.first[w];
    const unsigned begin = next, end = begin + space.shares[w];
    for (unsigned state = 0; state < kWeightStates; ++state) {
      const unsigned share = 3 * state % kWeightStates;
      if (share >= begin && share < end) space.states[next++] = static_cast<std::uint8_t>(state);
    }
  }
  team.sync();
}

// ---- Bits

/// One thread's part of a text, from any bit on. The words are 0 where nothing was put.
template <class Team>
class TextBits {
 public:
  TDZ_HOST_DEVICE TextBits(std::uint32_t* words, unsigned begin)
      : word_(words + begin / 32), count_(begin % 32) {}

  /// At most 32 bits.
  TDZ_HOST_DEVICE void put(std::uint32_t value, unsigned bits) {
    held_ |= std::uint64_t{value} << count_;
    count_ += bits;
    put_ += bits;
    if (count_ >= 32) take_word();
  }
  /// All that were put; afterwards they are in the words.
  TDZ_HOST_DEVICE unsigned end() {
    if (count_ != 0) take_word();
    return put_;
  }

 private:
  TDZ_HOST_DEVICE void take_word() {
    Team::set_bits(*word_++, static_cast<std::uint32_t>(held_));
    held_ >>= 32, count_ = count_ > 32 ? count_ - 32 : 0;
  }

  std::uint32_t* word_;
  std::uint64_t held_ = 0;
  unsigned count_, put_ = 0;
};

/// A share is written as share + 1, at most `most` = what is left + 1. Values below `short_ones` take one bit
/// less.
template <class Bits>
TDZ_HOST_DEVICE void put_share(Bits& out, unsigned left, unsigned share) {
  const unsigned most = left + 1, bits = width_of(most), half = 1u << (bits - 1);
  const unsigned short_ones = 2 * half - 1 - most, value = share + 1;
  if (value < short_ones) return out.put(value, bits - 1);
  out.put(value < half ? value : value + short_ones, bits);
}

/// Returns their bytes.
template <class Team>
TDZ_HOST_DEVICE unsigned put_shares(Team, TextSpace& space) {
  TextBits<Team> out(space.packed, 0);
  out.put(kWeightLog - 5, 4);
  unsigned left = kWeightStates;
  for (unsigned w = 0; left > 0;) {
    const unsigned share = space.shares[w++];
    put_share(out, left, share);
    left -= share;
    if (share != 0) continue;
    unsigned zeros = 0;  // further ones
    for (; space.shares[w] == 0; ++w) ++zeros;
    for (; zeros >= 3; zeros -= 3) out.put(3, 2);
    out.put(zeros, 2);
  }
  return (out.end() + 7) / 8;
}

// ---- The stream: two states take turns

/// Of the states of a weight with c shares, number x (c, c + 1, ..) has the bits that take x to 64 and more.
class WeightStates {
 public:
  TDZ_HOST_DEVICE WeightStates(const TextSpace& space, unsigned weight)
      : states_(space.states + space.first[weight]), shares_(space.shares[weight]) {}

  /// The first state has the most bits, never 0: so a reader finds that bits are missing behind the last two
  /// weights, and ends there.
  TDZ_HOST_DEVICE unsigned first() const { return states_[0]; }
  /// The state before `later`, and the bits between them.
  TDZ_HOST_DEVICE unsigned before(unsigned later, std::uint16_t& step) const {
    const unsigned x = later + kWeightStates, most = kWeightLog + 1 - width_of(shares_);
    const unsigned bits = x >> most < shares_ ? most - 1 : most;
    step = static_cast<std::uint16_t>((x & ((1u << bits) - 1)) | bits << 8);
    return states_[(x >> bits) - shares_];
  }

 private:
  const std::uint8_t* states_;
  unsigned shares_;
};

/// The states of every second weight, from the last one down to weight `first`, 0 or 1. Returns the state of
/// that one.
TDZ_HOST_DEVICE inline unsigned walk_chain(TextSpace& space, unsigned count, unsigned first) {
  unsigned i = count - 1 - (count - 1 - first) % 2, state = WeightStates(space, space.weights[i]).first();
  // Not `i > first`: gcc 12 for s390x counts the rounds of that loop wrong.
  for (; i != first; i -= 2)
    state = WeightStates(space, space.weights[i - 2]).before(state, space.steps[i - 2]);
  return state;
}

/// Behind the shares: the steps from the last weight to the first, the states of the second weight and of the
/// first one, the end. Returns the bytes.
template <class Team>
TDZ_HOST_DEVICE unsigned put_weights(Team team, TextSpace& space, unsigned count) {
  for (unsigned first = team.rank(); first < 2; first += team.size())
    space.ends[first] = static_cast<std::uint8_t>(walk_chain(space, count, first));
  team.sync();
  const unsigned steps = count - 2, part = (steps + team.size() - 1) / team.size();
  const unsigned begin = part * team.rank() < steps ? part * team.rank() : steps;
  const unsigned end = begin + part < steps ? begin + part : steps;
  unsigned own = 0;
  for (unsigned at = begin; at < end; ++at) own += space.steps[steps - 1 - at] >> 8;
  const unsigned all = team.sum(own), first = 8 * space.share_bytes;
  TextBits<Team> out(space.packed, first + team.sum_before(own));
  for (unsigned at = begin; at < end; ++at) {
    const unsigned step = space.steps[steps - 1 - at];
    out.put(step & 255, step >> 8);
  }
  out.end();
  if (team.rank() == 0) {
    TextBits<Team> last(space.packed, first + all);
    last.put(space.ends[1], kWeightLog);
    last.put(space.ends[0], kWeightLog);
    last.put(1, 1);
    last.end();
  }
  team.sync();
  return (first + all + 2 * kWeightLog + 1 + 7) / 8;
}

// ---- The description

/// The length of what is packed; 0: there are fewer than two weights, or all are equal. Then FSE has no code.
template <class Team>
TDZ_HOST_DEVICE unsigned pack_weights(Team team, unsigned count, TextSpace& space) {
  for (unsigned w = team.rank(); w < kWeightValues; w += team.size()) space.counts[w] = 0;
  for (unsigned i = team.rank(); i < 64; i += team.size()) space.packed[i] = 0;
  team.sync();
  for (unsigned i = team.rank(); i < count; i += team.size()) team.add(space.counts[space.weights[i]], 1);
  team.sync();
  if (count < 2 || space.counts[space.weights[0]] == count) return 0;
  if (team.rank() == 0) share_states(count, space);
  team.sync();
  place_states(team, space);
  if (team.rank() == 0) space.share_bytes = put_shares(team, space);
  team.sync();
  return put_weights(team, space, count);
}

/// Writes the description of a full tree's lengths, at most kLongestText bytes, and returns its length; 0: a
/// block cannot describe it. Lengths stand where the whole team sees them.
template <class Team>
TDZ_HOST_DEVICE unsigned describe_tree(Team team, const std::uint8_t* lengths, unsigned symbols,
                                       TextSpace& space, std::uint8_t* to) {
  const unsigned count = list_weights(team, lengths, symbols, space.weights);
  const unsigned packed = pack_weights(team, count, space);
  const unsigned direct = count <= kMostDirect ? 1 + (count + 1) / 2 : 0;
  const bool fse = packed != 0 && packed <= kDirect && (direct == 0 || packed + 1 < direct);
  const unsigned bytes = fse ? packed + 1 : direct;
  for (unsigned i = team.rank(); i < bytes; i += team.size()) {
    if (i == 0) {
      to[i] = static_cast<std::uint8_t>(fse ? packed : kDirect + count);
    } else if (fse) {
      to[i] = packed_byte(space, i - 1);
    } else {
      const unsigned second = 2 * i - 1 < count ? space.weights[2 * i - 1] : 0;
      to[i] = static_cast<std::uint8_t>(space.weights[2 * i - 2] << 4 | second);
    }
  }
  team.sync();
  return bytes;
}

}  // namespace tdz::uniform
