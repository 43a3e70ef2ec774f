// SPDX-License-Identifier: Apache-2.0
// The step `scale` over one chunk, each way. Thread-safe; allocates nothing, except for the text of an error.
//
// Precondition of all of them: the floating-point environment is the usual one (float_environment.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "formats/error.hpp"
#include "formats/steps/scale.hpp"

namespace tdz {

/// What a writer decided for one chunk. Every pair is valid, and every selector has a pair.
struct ScaleChoice {
  std::span<const ScalePair> pairs;
  std::span<const std::byte> selectors;  ///< as ScaleSide has them
  std::optional<std::uint64_t> fill;     ///< this word is a hole wherever it stands
  bool unsigned_words = false;  ///< integers below 8 bytes: how a top bit is read. Decoding never asks
};

/// Writes q in place of each word and a bit for each hole (`bitmap`: bitmap_bytes of them); returns the
/// number of holes. Every word that decoding would not give back bit for bit becomes a hole. Its q repeats
/// the one before in its lane. `words` and `scaled` have the same length and do not overlap; a trailing part
/// of a word is copied. Where there are more holes than `most_holes`, the q of holes are any: the caller only
/// asks how well the choice suits.
std::size_t encode_scale(const ScaleShape& shape, const ScaleChoice& choice, std::span<const std::byte> words,
                         std::span<std::byte> scaled, std::span<std::byte> bitmap,
                         std::size_t most_holes = ~std::size_t{0});

/// The word of all holes, if they are all the same. Precondition: there is a hole.
std::optional<std::uint64_t> common_hole(const ScaleShape& shape, std::span<const std::byte> words,
                                         std::span<const std::byte> bitmap);

/// The words of all holes, one behind the other, into `hole_words`, which has room for them.
void collect_holes(const ScaleShape& shape, std::span<const std::byte> words,
                   std::span<const std::byte> bitmap, std::span<std::byte> hole_words);

/// The words again. Precondition: `side` came from formats::read_scale_side for this shape and number of
/// words. Error: corrupt, where a q does not give a number as the format asks for it.
Status decode_scale(const ScaleShape& shape, const ScaleSide& side, std::span<const std::byte> scaled,
                    std::span<std::byte> words);

}  // namespace tdz
