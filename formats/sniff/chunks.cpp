// SPDX-License-Identifier: Apache-2.0
#include "formats/sniff/chunks.hpp"

namespace tdz::formats {
namespace {

constexpr std::uint64_t kFirstChunk = 12;  // after RIFF or FORM, a length, WAVE or AIFF
constexpr std::uint64_t kChunkHead = 8;

}  // namespace

std::optional<FoundChunk> find_chunk(Fields& fields, std::string_view name) {
  // Each iteration moves forward by at least 8 bytes and at most a 32-bit length: no cycle, no overflow.
  for (std::uint64_t at = kFirstChunk; fields.holds(at, kChunkHead);) {
    const FoundChunk chunk{at + kChunkHead, fields.u32(at + 4)};
    if (fields.has(name, at)) return chunk;
    at = chunk.body + chunk.length + chunk.length % 2;
  }
  return std::nullopt;
}

std::optional<NumberType> integer_samples(unsigned bits, std::uint32_t channels, char small_kind) {
  const unsigned bytes = (bits + 7) / 8;
  if (channels == 0) return std::nullopt;
  if (bytes == 1) return NumberType{small_kind, 1, channels};
  if (bytes == 3) return NumberType{0, 1, 3 * channels};
  if (!is_word_size(bytes)) return std::nullopt;
  return NumberType{'i', static_cast<std::uint8_t>(bytes), channels};
}

std::optional<NumberType> float_samples(unsigned bits, std::uint32_t channels) {
  if (channels == 0 || (bits != 32 && bits != 64)) return std::nullopt;
  return NumberType{'f', static_cast<std::uint8_t>(bits / 8), channels};
}

}  // namespace tdz::formats
