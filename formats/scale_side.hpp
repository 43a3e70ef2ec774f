// SPDX-License-Identifier: Apache-2.0
// The side data of `scale` as bytes, each way. Nothing else knows this layout.
//
//     head   u8 pair count, u8 hole mode, two bytes of zero, then num and den of every pair (f64), then the constant
//            (hole mode 2, as many bytes as a word has), then the selectors (two pairs or more)
//     bitmap a bit for every word (hole modes 1 and 2)
//     raw    the words that are holes (hole mode 1)
//
// Pure functions, thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "formats/error.hpp"
#include "formats/scale.hpp"

namespace tdz::formats {

/// The three substreams of one chunk.
struct ScaleStreams {
  std::span<const std::byte> head;
  std::span<const std::byte> bitmap;
  std::span<const std::byte> raw;
};

/// Within 2^-300 .. 2^300, so that no product or quotient with an integer up to 2^53 leaves f64's normal numbers.
bool is_scale_pair(const ScalePair& pair);

std::size_t scale_head_bytes(const ScaleShape& shape, const ScaleSide& side);
/// The first four bytes and everything behind them. Precondition: `head` holds scale_head_bytes; the pairs are valid.
void write_scale_head(const ScaleShape& shape, const ScaleSide& side, std::span<std::byte> head);

/// Checks everything that can be checked without the q: counts, pairs, selectors, the bitmap's padding and length,
/// the number of raw words. `words` is the number of words of the chunk. Error: corrupt.
Result<ScaleSide> read_scale_side(const ScaleShape& shape, std::size_t words, const ScaleStreams& streams);

}  // namespace tdz::formats
