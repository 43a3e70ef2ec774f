// SPDX-License-Identifier: Apache-2.0
// The weights of a Huffman tree, compressed by FSE: RFC 8878, sections 4.1 and 4.2.1.2. Pure functions,
// thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tdz::uniform {

using Weights = std::vector<std::uint8_t>;
inline constexpr std::size_t kMostWeights = 255;  ///< the last symbol's weight is not listed

/// Nothing if there are fewer than two weights, or all are equal: then FSE has no code.
std::optional<std::vector<std::byte>> write_fse_weights(std::span<const std::uint8_t> weights);
/// Nothing if the bytes are not exactly a table and a stream, or give weights beyond the limits above.
std::optional<Weights> read_fse_weights(std::span<const std::byte> bytes);

}  // namespace tdz::uniform
