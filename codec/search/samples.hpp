// SPDX-License-Identifier: Apache-2.0
// Samples: the bytes that the search tries instead of the whole input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "formats/error.hpp"
#include "kernels/steps/scale/detect_scale.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

/// Pieces spread over the numbers of an input. Each begins a multiple of 8 bytes after the raw prefix, so
/// that no word of 1, 2, 4 or 8 bytes is cut. A piece may begin in the middle of a tuple: see aligned().
struct Samples {
  Samples() = default;
  Samples(Samples&&) = default;  // a copy would have the pieces of the other
  Samples& operator=(Samples&&) = default;

  std::vector<std::byte> memory;
  Pieces pieces;
  std::vector<std::uint64_t> offsets;  ///< of each piece, behind the raw prefix

  std::size_t bytes() const { return memory.size(); }
  /// All of a short input, in one piece or in several: fewer bytes are enough to rank candidates.
  bool of_short_input() const { return bytes() < kShort; }

 private:
  static constexpr std::size_t kShort = std::size_t{384} << 10;  // longer ones are two pieces or more
};

/// The sum of the lengths.
std::size_t bytes_of(const Pieces& pieces);

/// The first `length` bytes of each piece.
Pieces first_of(const Pieces& pieces, std::size_t length);

/// Some pieces of `samples`, each without what stands before the first whole unit in it or behind the last
/// one. `unit`: the bytes of a tuple. A piece that holds no four units is left as it is.
Pieces aligned(const Samples& samples, const Pieces& pieces, std::size_t unit);

/// `count` pieces of `length` bytes, evenly spread over `input` from `offset` to its end; the first begins at
/// `offset`. If the input is not longer than all pieces together, the pieces are about `length` bytes long
/// and cover all of it. Errors: those of read_at.
Result<Samples> take_samples(RandomAccess& input, std::uint64_t offset, std::size_t count,
                             std::size_t length);

/// The same for pieces that are joined. Where an input repeats itself after a distance near a multiple of the
/// distance between pieces, the pieces would hold the same bytes, and steps that keep matches would look much
/// too good. Then the pieces stand closer to each other, if that helps.
Result<Samples> take_different_samples(RandomAccess& input, std::uint64_t offset, std::size_t count,
                                       std::size_t length);

}  // namespace tdz
