// SPDX-License-Identifier: Apache-2.0
// For WAV and AIFF: walks through chunks, and turns the width of a sample into a type. Not installed.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "formats/sniff/fields.hpp"
#include "formats/plan/plan.hpp"

namespace tdz::formats {

/// Where the contents of a chunk begin, and their length as the file states it (not checked).
struct FoundChunk {
  std::uint64_t body = 0;
  std::uint64_t length = 0;
};

/// The first chunk of that name: {4 letters, u32 length, contents, padding to even}. Walks from offset 12.
std::optional<FoundChunk> find_chunk(Fields& fields, std::string_view name);

/// Integers of `bits` bits, in as few bytes as possible. Three bytes become a tuple of single bytes.
/// `small_kind` is the kind of 8-bit samples, because formats differ there. Nothing if no word has this
/// width.
std::optional<NumberType> integer_samples(unsigned bits, std::uint32_t channels, char small_kind);
/// 32 and 64 bits.
std::optional<NumberType> float_samples(unsigned bits, std::uint32_t channels);

}  // namespace tdz::formats
