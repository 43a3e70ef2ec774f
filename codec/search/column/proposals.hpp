// SPDX-License-Identifier: Apache-2.0
// Proposes lengths of records and rows: distances at which bytes or words of the data are similar. Pure
// functions of the bytes, in integers, much cheaper than a trial. Only a trial decides.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "codec/search/samples.hpp"
#include "formats/plan/plan.hpp"

namespace tdz {

/// The size and number of words in a record.
struct Shape {
  std::uint8_t word = 1;
  std::uint32_t tuple = 1;
  friend bool operator==(const Shape&, const Shape&) = default;
};

/// Record lengths in bytes, best first, at most `count`: the distances up to `longest` at which a byte
/// differs least from the byte that many bytes before.
std::vector<std::size_t> propose_record_lengths(std::span<const std::byte> bytes, std::size_t longest,
                                                std::size_t count);

/// Row lengths in words, best first, at most `count`: multiples of the tuple at which the residuals of a
/// difference over the tuple are similar. Each piece of `residuals` holds words of `shape.word` bytes after
/// zigzag, not shuffled into planes.
std::vector<std::uint32_t> propose_rows(const Pieces& residuals, Shape shape, std::size_t count);
/// The best one of at least `shortest` words, if it is clearly better than other lengths.
std::optional<std::uint32_t> propose_long_row(const Pieces& residuals, Shape shape, std::size_t shortest);

inline constexpr std::size_t kLongestFoundRecord = 1024;  ///< bytes; longer records are not looked for

/// Lengths that records of mixed fields may have. At least 2 bytes, the most convincing first, at most 3, no
/// multiples of one another. None: the bytes repeat no structure, or the pieces are too short. All pieces
/// count, as records have one length everywhere; propose_record_lengths looks at one piece, and finds the
/// tuples that it holds.
std::vector<std::size_t> propose_mixed_records(const Pieces& pieces);

}  // namespace tdz
