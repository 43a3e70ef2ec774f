// SPDX-License-Identifier: Apache-2.0
// The weights of a Huffman tree, as a block describes them, for one thread of host or device: RFC 8878,
// sections 4.1 and 4.2.1. Nothing is allocated. All loops end, whatever the bytes are.
#pragma once

#include <cstdint>

#include "kernels/uniform/team.hpp"

namespace tdz::uniform {

inline constexpr std::uint32_t kMostListed = 255;  ///< the last symbol's weight is not listed
inline constexpr std::uint32_t kHeaviest = 11;     ///< also the longest code of literals
inline constexpr std::uint32_t kWeightKinds = kHeaviest + 1;
inline constexpr std::uint32_t kFseShortest = 5, kFseLongest = 6;  ///< logarithm of a table: section 4.2.1.2
inline constexpr std::uint32_t kFseStates = 1u << kFseLongest;
inline constexpr std::uint32_t kMostDescription =
    128;  ///< bytes; 1 + 127 of FSE, or 1 + 64 of direct weights

/// Bits of a symbol's code: longest + 1 - its weight. A symbol of weight 0 has none.
struct TreeWeights {
  std::uint8_t of[kMostListed + 1];
  std::uint32_t symbols = 0;  ///< those that follow have weight 0
  std::uint32_t longest = 0;
};

/// The states of FSE, and what making them needs.
struct FseSpace {
  std::uint32_t state[kFseStates];  ///< symbol | bits << 8 | base << 16: one load in a chain of loads
  std::int8_t share[kWeightKinds];  ///< in parts of a table. -1: less than one part, but not nothing
  std::uint8_t number[kWeightKinds];
};

/// Section 4.2.1.1: a first byte below 128 is the length of weights in FSE, another one 127 + their number.
TDZ_HOST_DEVICE constexpr std::uint32_t description_length(std::uint32_t first) {
  return first < 128 ? 1 + first : 1 + (first - 127 + 1) / 2;
}

/// Bits [first, first + bits) of a little-endian integer, at most 8; those behind its end are zero.
TDZ_HOST_DEVICE inline std::uint32_t few_bits(const std::uint8_t* bytes, std::uint32_t size,
                                              std::uint32_t first, std::uint32_t bits) {
  const std::uint32_t at = first / 8;
  std::uint32_t value = at < size ? bytes[at] : 0u;
  if (at + 1 < size) value |= static_cast<std::uint32_t>(bytes[at + 1]) << 8;
  return value >> first % 8 & ((1u << bits) - 1);
}

// ---- FSE's table

/// Section 4.1.1: a share is written as share + 1, at most left + 1. Small values take one bit less.
TDZ_HOST_DEVICE inline std::int32_t take_share(const std::uint8_t* bytes, std::uint32_t size,
                                               std::uint32_t& at, std::uint32_t left) {
  const std::uint32_t bits = width_of(left + 1), half = 1u << (bits - 1), short_ones = 2 * half - (left + 2);
  std::uint32_t value = few_bits(bytes, size, at, bits - 1);
  at += bits - 1;
  if (value < short_ones) return static_cast<std::int32_t>(value) - 1;
  value = few_bits(bytes, size, at - (bits - 1), bits);
  ++at;
  return static_cast<std::int32_t>(value < half ? value : value - short_ones) - 1;
}

/// Fills space.share. Returns the bytes that they take, less than `size`, or 0.
TDZ_HOST_DEVICE inline std::uint32_t take_shares(const std::uint8_t* bytes, std::uint32_t size,
                                                 FseSpace& space, std::uint32_t& log) {
  log = kFseShortest + few_bits(bytes, size, 0, 4);
  if (log > kFseLongest) return 0;
  for (std::uint32_t s = 0; s < kWeightKinds; ++s) space.share[s] = 0;
  std::uint32_t at = 4;
  auto left = static_cast<std::int32_t>(1u << log);
  for (std::uint32_t s = 0; left > 0;) {
    if (s >= kWeightKinds) return 0;
    const std::int32_t share = take_share(bytes, size, at, static_cast<std::uint32_t>(left));
    space.share[s++] = static_cast<std::int8_t>(share);
    left -= share < 0 ? 1 : share;
    if (share != 0) continue;
    for (std::uint32_t zeros = 3; zeros == 3 && s < kWeightKinds; s += zeros, at += 2)
      zeros = few_bits(bytes, size, at, 2);
  }
  const std::uint32_t used = (at + 7) / 8;
  return left < 0 || used >= size ? 0 : used;
}

/// Section 4.1.1: rare symbols at the end, the others in steps that meet every free place once. A symbol with
/// c states numbers them c, c + 1, ..: number x has the bits that take x to the table's size.
TDZ_HOST_DEVICE inline void make_states(FseSpace& space, std::uint32_t log) {
  const std::uint32_t size = 1u << log, step = size / 2 + size / 8 + 3;
  std::uint32_t free = size, at = 0;
  for (std::uint32_t s = 0; s < kWeightKinds; ++s) {
    space.number[s] = static_cast<std::uint8_t>(space.share[s] < 0 ? 1 : space.share[s]);
    if (space.share[s] < 0) space.state[--free] = s;
  }
  for (std::uint32_t s = 0; s < kWeightKinds; ++s) {
    for (std::int32_t i = space.share[s]; i > 0; --i) {
      space.state[at] = s;
      do at = (at + step) & (size - 1);
      while (at >= free && free != 0);
    }
  }
  for (std::uint32_t i = 0; i < size; ++i) {
    const std::uint32_t symbol = space.state[i], x = space.number[symbol]++, bits = log + 1 - width_of(x);
    space.state[i] = symbol | bits << 8 | ((x << bits) - size) << 16;
  }
}

// ---- FSE's stream: two states take turns

/// Bits from the end to the front. 64 bits of the stream are held, so that not every step waits for memory.
class BackwardWindow {
 public:
  /// Precondition: the last byte is not zero.
  TDZ_HOST_DEVICE BackwardWindow(const std::uint8_t* bytes, std::uint32_t size)
      : bytes_(bytes),
        size_(size),
        left_(static_cast<std::int32_t>(8 * (size - 1) + width_of(bytes[size - 1])) - 1) {
    hold();
  }
  TDZ_HOST_DEVICE std::int32_t left() const { return left_; }
  /// At most 8, and not more than are left.
  TDZ_HOST_DEVICE std::uint32_t take(std::uint32_t bits) {
    left_ -= static_cast<std::int32_t>(bits);
    if (left_ < begin_) hold();
    return static_cast<std::uint32_t>(window_ >> (left_ - begin_)) & ((1u << bits) - 1);
  }

 private:
  /// The bits below left_, and 8 above it.
  TDZ_HOST_DEVICE void hold() {
    begin_ = left_ > 48 ? (left_ - 48) & ~7 : 0;
    window_ = 0;
    const std::uint32_t first = static_cast<std::uint32_t>(begin_) / 8;
    for (std::uint32_t i = 0; i < 8 && first + i < size_; ++i)
      window_ |= static_cast<std::uint64_t>(bytes_[first + i]) << (8 * i);
  }

  const std::uint8_t* bytes_;
  std::uint32_t size_;
  std::int32_t left_;
  std::int32_t begin_ = 0;  ///< the window's first bit
  std::uint64_t window_ = 0;
};

/// Returns the number of weights, at least 2, or 0.
TDZ_HOST_DEVICE inline std::uint32_t take_weights(const std::uint8_t* bytes, std::uint32_t size,
                                                  std::uint32_t log, const FseSpace& space,
                                                  std::uint8_t* weights) {
  if (size == 0 || bytes[size - 1] == 0) return 0;
  BackwardWindow in(bytes, size);
  if (in.left() < static_cast<std::int32_t>(2 * log)) return 0;
  std::uint32_t state = space.state[in.take(log)], other = space.state[in.take(log)], count = 0;
  while (in.left() >= static_cast<std::int32_t>(state >> 8 & 255) && count < kMostListed) {
    weights[count++] = static_cast<std::uint8_t>(state);
    const std::uint32_t next = space.state[(state >> 16) + in.take(state >> 8 & 255)];
    state = other, other = next;
  }
  if (in.left() != 0 || count + 2 > kMostListed) return 0;
  weights[count++] = static_cast<std::uint8_t>(state);
  weights[count++] = static_cast<std::uint8_t>(other);
  return count;
}

/// The weights in exactly these bytes: their number, or 0. There is room for kMostListed.
TDZ_HOST_DEVICE inline std::uint32_t fse_weights(const std::uint8_t* bytes, std::uint32_t size,
                                                 FseSpace& space, std::uint8_t* weights) {
  std::uint32_t log = 0;
  const std::uint32_t used = take_shares(bytes, size, space, log);
  if (used == 0) return 0;
  make_states(space, log);
  return take_weights(bytes + used, size - used, log, space, weights);
}

// ---- The tree

/// Four bits each.
TDZ_HOST_DEVICE inline std::uint32_t direct_weights(const std::uint8_t* bytes, std::uint32_t count,
                                                    std::uint8_t* weights) {
  for (std::uint32_t i = 0; i < count; ++i)
    weights[i] = static_cast<std::uint8_t>(bytes[i / 2] >> (i % 2 == 0 ? 4 : 0) & 15);
  return count;
}

/// How many symbols have each weight.
using WeightCounts = std::uint32_t[kWeightKinds];

/// Adds the weight that is not listed: the one that fills up. False: these are not the weights of a tree.
TDZ_HOST_DEVICE inline bool complete(TreeWeights& tree, const WeightCounts& count) {
  std::uint32_t sum = 0;
  for (std::uint32_t w = 1; w < kWeightKinds; ++w) sum += count[w] << (w - 1);
  if (sum == 0) return false;
  tree.longest = width_of(sum);
  const std::uint32_t missing = (1u << tree.longest) - sum, last = width_of(missing);
  if ((missing & (missing - 1)) != 0 || tree.longest > kHeaviest) return false;
  tree.of[tree.symbols++] = static_cast<std::uint8_t>(last);
  const std::uint32_t ones = count[1] + (last == 1 ? 1 : 0);
  return ones >= 2 && ones % 2 == 0;
}

/// The listed weights of the tree whose description stands at the front of `bytes`: the bytes that it takes,
/// or 0. Direct weights may be larger than allowed.
TDZ_HOST_DEVICE inline std::uint32_t listed_weights(const std::uint8_t* bytes, std::uint32_t size,
                                                    FseSpace& space, TreeWeights& tree) {
  if (size == 0) return 0;
  const std::uint32_t first = bytes[0], length = description_length(first);
  if (length > size) return 0;
  tree.symbols = first < 128 ? fse_weights(bytes + 1, length - 1, space, tree.of)
                             : direct_weights(bytes + 1, first - 127, tree.of);
  return tree.symbols != 0 ? length : 0;
}

}  // namespace tdz::uniform
