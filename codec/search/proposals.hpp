// SPDX-License-Identifier: Apache-2.0
// What the data themselves say about records and rows: distances at which bytes or words resemble each other.
// Pure functions; cheap against a trial, and only ever proposals for one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "formats/transform.hpp"

namespace tdz {

/// The size and number of words in a record.
struct Shape {
  std::uint8_t word = 1;
  std::uint32_t tuple = 1;
  friend bool operator==(const Shape&, const Shape&) = default;
};

/// Record lengths in bytes, best first, at most `count`: the distances up to `longest` at which bytes differ
/// least from their predecessor in the same column.
std::vector<std::size_t> propose_record_lengths(std::span<const std::byte> bytes, std::size_t longest,
                                                std::size_t count);

/// Row lengths in words, best first, at most `count`: multiples of the tuple at which the residuals of a
/// difference over the tuple resemble each other. `residuals` are zigzagged words of `word` bytes,
/// interleaved.
std::vector<std::uint32_t> propose_rows(std::span<const std::byte> residuals, Shape shape, std::size_t count);

}  // namespace tdz
