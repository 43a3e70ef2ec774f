// SPDX-License-Identifier: Apache-2.0
// Are the numbers integers times num / den? What samples say; a trial decides.
//
// Integers and strictly sequential IEEE operations only, so that every machine proposes the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "formats/steps/scale.hpp"

namespace tdz {
using Pieces = std::vector<std::span<const std::byte>>;

/// What a plan is expected to do to the samples: the lengths of all residuals in bits.
struct ScaleEstimate {
  ScalePlan plan;
  std::uint64_t bits_without = 0;
  std::uint64_t bits_with = 0;
};

/// Looks at 384 words of each lane in 6 pieces, in fewer if there are many lanes. The pieces begin at lane 0,
/// or at any lane where lanes are alike. At most three plans, best first: with pairs, with pairs and a fill,
/// with a fill alone. Pairs are proposed if they save half a bit a word or 3 %, a fill alone if it saves 0.8
/// %. Precondition, here and below: the usual floating-point environment.
std::vector<ScaleEstimate> detect_scale(const ScaleShape& shape, const Pieces& pieces);

/// Pairs for words of one lane, one behind the other, best first: what a chunk asks where its plan leaves
/// holes.
std::vector<ScalePair> propose_pairs(const ScaleShape& shape, std::span<const std::byte> words,
                                     bool unsigned_words, std::optional<std::uint64_t> fill);

// ---- What a few hundred words of one lane cost, roughly: the lengths of their differences in bits. Integers
// only.

/// As they are, under the better of orders 0, 1 and 2.
std::uint64_t plain_bits(const ScaleShape& shape, std::span<const std::byte> words);

inline constexpr std::uint64_t kTooManyHoles = std::uint64_t{1} << 48;

/// Scaled by one pair (null: only the fill is taken out), with the holes. At most kScaleGroup words.
/// kTooManyHoles where there are more than `most_holes`, which is known sooner.
std::uint64_t scaled_bits(const ScaleShape& shape, std::span<const std::byte> words, const ScalePair* pair,
                          std::optional<std::uint64_t> fill, bool unsigned_words,
                          std::size_t most_holes = kScaleGroup);

/// How often a word stands there.
std::size_t count_word(const ScaleShape& shape, std::span<const std::byte> words, std::uint64_t wanted);

}  // namespace tdz
