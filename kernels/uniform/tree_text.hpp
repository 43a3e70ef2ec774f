// SPDX-License-Identifier: Apache-2.0
// Writes the description of a Huffman tree: RFC 8878, sections 4.1 and 4.2.1. One thread or a team does it.
// The readers stand in tree.cpp and fse_weights.cpp.
#pragma once

#include <cstdint>

#include "kernels/uniform/code_lengths.hpp"
#include "kernels/uniform/team.hpp"

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
  std::uint8_t packed[256];             ///< at most 12 bytes of shares and 6 bits a weight
  std::uint32_t packed_bytes;
};

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

/// As BitWriter, for a few bytes.
class TextBits {
 public:
  TDZ_HOST_DEVICE explicit TextBits(std::uint8_t* to) : begin_(to), to_(to) {}

  /// At most 24 bits.
  TDZ_HOST_DEVICE void put(std::uint32_t value, unsigned bits) {
    held_ |= value << count_;
    for (count_ += bits; count_ >= 8; count_ -= 8, held_ >>= 8) *to_++ = static_cast<std::uint8_t>(held_);
  }
  /// The bytes written, the last one filled with zeros.
  TDZ_HOST_DEVICE unsigned bytes() {
    if (count_ != 0) put(0, 8 - count_);
    return static_cast<unsigned>(to_ - begin_);
  }

 private:
  std::uint8_t* begin_;
  std::uint8_t* to_;
  std::uint32_t held_ = 0;
  unsigned count_ = 0;
};

/// A share is written as share + 1, at most `most` = what is left + 1. Values below `short_ones` take one bit
/// less.
TDZ_HOST_DEVICE inline void put_share(TextBits& out, unsigned left, unsigned share) {
  const unsigned most = left + 1, bits = width_of(most), half = 1u << (bits - 1);
  const unsigned short_ones = 2 * half - 1 - most, value = share + 1;
  if (value < short_ones) return out.put(value, bits - 1);
  out.put(value < half ? value : value + short_ones, bits);
}

TDZ_HOST_DEVICE inline unsigned put_shares(const TextSpace& space, std::uint8_t* to) {
  TextBits out(to);
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
  return out.bytes();
}

// ---- The stream: two states take turns

/// Of the states of a weight with c shares, number x (c, c + 1, ..) has the bits that take x to 64 and more.
struct WeightStep {
  unsigned state, bits, value;
};
TDZ_HOST_DEVICE inline WeightStep step_before(const TextSpace& space, unsigned weight, unsigned later) {
  const unsigned x = later + kWeightStates, shares = space.shares[weight];
  unsigned bits = width_of(x) - width_of(shares);
  if (x >> bits < shares) --bits;
  const unsigned number = x >> bits;
  return {space.states[space.first[weight] + number - shares], bits, x & ((1u << bits) - 1)};
}

/// The first state of a weight has the most bits, never 0: so a reader finds that bits are missing behind the
/// last two weights, and ends there.
TDZ_HOST_DEVICE inline unsigned put_weights(const TextSpace& space, unsigned count, std::uint8_t* to) {
  TextBits out(to);
  const auto last_state = [&](unsigned weight) -> unsigned { return space.states[space.first[weight]]; };
  unsigned later = last_state(space.weights[count - 1]), state = last_state(space.weights[count - 2]);
  for (unsigned i = count - 2; i-- > 0;) {
    const WeightStep step = step_before(space, space.weights[i], later);
    out.put(step.value, step.bits);
    later = state;
    state = step.state;
  }
  out.put(later, kWeightLog);
  out.put(state, kWeightLog);
  out.put(1, 1);  // the end
  return out.bytes();
}

// ---- The description

/// `packed` and its length; 0: there are fewer than two weights, or all are equal. Then FSE has no code.
template <class Team>
TDZ_HOST_DEVICE unsigned pack_weights(Team team, unsigned count, TextSpace& space) {
  for (unsigned w = team.rank(); w < kWeightValues; w += team.size()) space.counts[w] = 0;
  team.sync();
  for (unsigned i = team.rank(); i < count; i += team.size()) team.add(space.counts[space.weights[i]], 1);
  team.sync();
  if (count < 2 || space.counts[space.weights[0]] == count) return 0;
  if (team.rank() == 0) share_states(count, space);
  team.sync();
  place_states(team, space);
  if (team.rank() == 0) {
    space.packed_bytes = put_shares(space, space.packed);
    space.packed_bytes += put_weights(space, count, space.packed + space.packed_bytes);
  }
  team.sync();
  return space.packed_bytes;
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
      to[i] = space.packed[i - 1];
    } else {
      const unsigned second = 2 * i - 1 < count ? space.weights[2 * i - 1] : 0;
      to[i] = static_cast<std::uint8_t>(space.weights[2 * i - 2] << 4 | second);
    }
  }
  team.sync();
  return bytes;
}

}  // namespace tdz::uniform
