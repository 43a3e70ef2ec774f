// SPDX-License-Identifier: Apache-2.0
// The bytes that the search looks at instead of the whole input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "formats/error.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

using Pieces = std::vector<std::span<const std::byte>>;

/// Pieces spread over the numbers of an input. Each begins at a multiple of 8 bytes behind the raw prefix, so
/// that no word is cut; tuples may begin at another lane, which no statistic minds.
struct Samples {
  std::vector<std::byte> memory;
  Pieces pieces;

  std::size_t bytes() const { return memory.size(); }
};

/// The first `length` bytes of each piece.
Pieces first_of(const Pieces& pieces, std::size_t length);

/// `count` pieces of `length` bytes from `input` behind `offset`, evenly spread, the first at its start;
/// where the input is no longer than that, all of it in pieces of about that length. Errors: those of
/// read_at.
Result<Samples> take_samples(RandomAccess& input, std::uint64_t offset, std::size_t count,
                             std::size_t length);

}  // namespace tdz
