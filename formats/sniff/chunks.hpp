// SPDX-License-Identifier: Apache-2.0
// The chunk walk that WAV and AIFF share, and what a sample's width means. Not installed.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "formats/sniff/fields.hpp"
#include "formats/transform.hpp"

namespace tdz::formats {

/// Where a chunk's contents begin, and how long they say they are (unchecked).
struct FoundChunk {
  std::uint64_t body = 0;
  std::uint64_t length = 0;
};

/// The first chunk of that name: {4 letters, u32 length, contents, padding to even}. Walks from offset 12.
std::optional<FoundChunk> find_chunk(Fields& fields, std::string_view name);

/// Integers of `bits` in as few bytes as hold them; three bytes become a tuple of single ones. `small_kind`
/// is that of 8-bit samples, on which formats differ. Nothing for widths that no word holds.
std::optional<NumberType> integer_samples(unsigned bits, std::uint32_t channels, char small_kind);
/// 32 and 64 bits.
std::optional<NumberType> float_samples(unsigned bits, std::uint32_t channels);

}  // namespace tdz::formats
