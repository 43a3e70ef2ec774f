// SPDX-License-Identifier: Apache-2.0
// Finds the first number that differs between original and restored bytes, as an index, a lane and values.
// Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "formats/plan/plan.hpp"

namespace tdz {

/// A chunk of a file, and where in the file it lies.
struct PlacedChunk {
  std::span<const std::byte> bytes;
  std::uint64_t number = 0;  ///< of the chunk, from 0
  std::uint64_t offset = 0;  ///< of its first byte in the file
};

/// A number of the original, and the number at its place in the restored bytes.
struct ComparedValue {
  std::uint64_t value = 0;  ///< its index in the file
  std::uint32_t lane = 0;   ///< its column in the tuple
  std::uint64_t expected = 0;
  std::uint64_t found = 0;
  friend bool operator==(const ComparedValue&, const ComparedValue&) = default;
};

/// The first number that differs. A number is a little-endian word of the plan's column, or a byte where it
/// has several columns; the last number of a file may have fewer bytes. Tuples count from the chunk's
/// beginning, as in the coding.
struct Mismatch {
  ComparedValue first;
  std::uint64_t offset = 0;           ///< of its first byte in the file
  std::uint8_t width = 1;             ///< its length in bytes
  std::vector<ComparedValue> around;  ///< a few before it, itself, a few after it
};

/// Nothing if all bytes are equal. Preconditions: both have the same length, and the chunk's offset in the
/// file is a multiple of the word.
std::optional<Mismatch> first_mismatch(const PlacedChunk& original, std::span<const std::byte> restored,
                                       const Plan& plan);

}  // namespace tdz
