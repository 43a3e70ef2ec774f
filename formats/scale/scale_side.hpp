// SPDX-License-Identifier: Apache-2.0
// The side data of `scale` as bytes, each way: FORMAT.md, "scale". Pure functions, thread-safe.
#pragma once

#include <cstddef>
#include <span>

#include "formats/error.hpp"
#include "formats/scale/scale.hpp"

namespace tdz::formats {

inline constexpr std::size_t kScalePairBytes = 16;

/// The four substreams of one chunk, in their order.
struct ScaleStreams {
  std::span<const std::byte> pairs;
  std::span<const std::byte> selectors;
  std::span<const std::byte> bitmap;
  std::span<const std::byte> hole_words;
};

/// Within 2^-300 .. 2^300, so that no product or quotient with an integer up to 2^53 leaves f64's normal
/// numbers.
bool is_scale_pair(const ScalePair& pair);

/// The bits that are set: each is a hole.
std::uint64_t count_holes(std::span<const std::byte> bitmap);

/// Precondition: `bytes` holds kScalePairBytes for each.
void write_scale_pairs(std::span<const ScalePair> pairs, std::span<std::byte> bytes);

/// Checks everything that can be checked without the q: lengths, pairs, selectors, the bitmap's padding, the
/// number of hole words. `words` is the number of words of the chunk. Error: corrupt.
Result<ScaleSide> read_scale_side(const ScaleShape& shape, std::size_t words, const ScaleStreams& streams);

}  // namespace tdz::formats
