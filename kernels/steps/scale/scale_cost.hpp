// SPDX-License-Identifier: Apache-2.0
// What a few hundred words of one lane cost, roughly: the lengths of their differences in bits. Integers
// only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "formats/steps/scale.hpp"

namespace tdz {

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
