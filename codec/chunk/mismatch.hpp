// SPDX-License-Identifier: Apache-2.0
// Where two runs of numbers differ first, in the terms of whoever reads the numbers. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "formats/transform.hpp"

namespace tdz {

/// A chunk of a file, and where in the file it lies.
struct PlacedChunk {
  std::span<const std::byte> bytes;
  std::uint64_t number = 0;  ///< of the chunk, from 0
  std::uint64_t offset = 0;  ///< of its first byte in the file
};

/// A number as it was, and what stands in its place.
struct ComparedValue {
  std::uint64_t value = 0;  ///< its index in the file
  std::uint32_t lane = 0;   ///< its place in its tuple
  std::uint64_t expected = 0;
  std::uint64_t found = 0;
  friend bool operator==(const ComparedValue&, const ComparedValue&) = default;
};

/// The first number that differs. A number is a little-endian word of the transform; of a file whose length
/// is no multiple of it, the last has the bytes that are left. Tuples are counted from the chunk's beginning,
/// as the coding does.
struct Mismatch {
  ComparedValue first;
  std::uint64_t offset = 0;           ///< of its first byte in the file
  std::uint8_t width = 1;             ///< bytes of it
  std::vector<ComparedValue> around;  ///< a few before it, itself, a few after it
};

/// Nothing where every byte is the same. Precondition: both have one length, and chunks of the file before
/// this one were whole words.
std::optional<Mismatch> first_mismatch(const PlacedChunk& original, std::span<const std::byte> restored,
                                       const Transform& transform);

}  // namespace tdz
