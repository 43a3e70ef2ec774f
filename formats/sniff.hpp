// SPDX-License-Identifier: Apache-2.0
// Reads what the header of a file says about its numbers: WAV, W64, AIFF, NPY, FITS, PGM/PPM/PAM, BMP, TIFF,
// NIfTI, netCDF-3, safetensors, TGA. Pure functions, thread-safe; they neither allocate nor throw.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "formats/plan/plan.hpp"

namespace tdz::formats {

/// A good length for the prefix that sniff() gets. Most headers are shorter than 4 KiB, but FITS histories,
/// netCDF attributes and notes in WAV files may take tens of KiB. The rest of a longer header is not read.
inline constexpr std::size_t kSniffBytes = 64u << 10;

/// A field of a row, or several equal ones that stand together: tuple is their number.
struct SniffedColumn {
  NumberType type;
  bool big_endian = false;  ///< never set for words of one byte

  friend constexpr bool operator==(const SniffedColumn&, const SniffedColumn&) = default;
};

/// The columns of a row, in order, as many as a plan may have.
class SniffedColumns {
 public:
  /// Joins the column with an equal one before it. False if a plan cannot have it; then nothing changes.
  bool add(const SniffedColumn& column);
  std::span<const SniffedColumn> list() const { return {storage_.data(), count_}; }
  std::uint64_t row_bytes() const;

  friend bool operator==(const SniffedColumns&, const SniffedColumns&) = default;

 private:
  std::array<SniffedColumn, kMaxColumns> storage_{};
  std::size_t count_ = 0;
};

/// A hint. If a header is wrong, the ratio is worse, but the data stays correct. Before a caller uses a hint,
/// it must compare `offset` with the true length of the file, and `tuple` and `row_words` with its own
/// limits.
struct SniffedHint {
  std::string_view format;      ///< "WAV", "NPY" ...; a static string
  NumberType type;              ///< kind 0 if one number is several words (24-bit audio: 3 bytes)
  std::uint64_t offset = 0;     ///< where the numbers begin; may be after the prefix
  bool big_endian = false;      ///< never set for words of one byte
  std::uint32_t row_words = 0;  ///< words in one row of an image or a grid, all of its tuples; 0 if unknown
  /// Of the rows of a table: two or more, or none if its fields are alike or no plan can have them. Beside
  /// them, `type` describes words that divide all fields.
  SniffedColumns columns{};

  friend bool operator==(const SniffedHint&, const SniffedHint&) = default;
};

/// Reads only `prefix`, the first bytes of the file. If the prefix does not hold everything that the hint
/// depends on, there is no hint. So a longer prefix never gives a different hint.
std::optional<SniffedHint> sniff(std::span<const std::byte> prefix);

}  // namespace tdz::formats
