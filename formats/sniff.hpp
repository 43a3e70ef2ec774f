// SPDX-License-Identifier: Apache-2.0
// What a file's own header says of the numbers behind it: WAV, W64, AIFF, NPY, FITS, PGM/PPM/PAM, BMP, TIFF,
// NIfTI, netCDF-3, TGA. Pure functions, thread-safe; they neither allocate nor throw.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "formats/transform.hpp"

namespace tdz::formats {

/// A good length for sniff()'s prefix: headers are mostly shorter than 4 KiB, but FITS histories, netCDF
/// attributes and a WAV's cover notes run to tens of KiB. What a longer header says is not seen.
inline constexpr std::size_t kSniffBytes = 64u << 10;

/// A hint, never trusted: a lying header costs ratio, not correctness. A caller must compare `offset` with
/// the file's true length, and `tuple` and `row_words` with its own limits, before it uses them.
struct SniffedHint {
  std::string_view format;   ///< "WAV", "NPY" ...; lives for ever
  NumberType type;           ///< kind 0 where one number is cut into several words (24-bit audio as 3 bytes)
  std::uint64_t offset = 0;  ///< where the numbers begin; may lie beyond the prefix
  bool big_endian = false;   ///< never set for words of one byte
  std::uint32_t row_words = 0;  ///< words in one row of a picture or grid (tuple included), 0 if unknown

  friend bool operator==(const SniffedHint&, const SniffedHint&) = default;
};

/// Reads only `prefix`, the first bytes of the file. A prefix too short to hold all that the hint depends on
/// gives none, so a hint never changes when more of the file is seen.
std::optional<SniffedHint> sniff(std::span<const std::byte> prefix);

}  // namespace tdz::formats
