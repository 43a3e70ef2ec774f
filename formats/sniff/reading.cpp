// SPDX-License-Identifier: Apache-2.0
#include "formats/sniff/reading.hpp"

#include <algorithm>
#include <limits>

namespace tdz::formats {

// ---- Chunks of WAV and AIFF

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

// ---- Axes

namespace {

constexpr std::uint64_t kMaxValues = std::uint64_t{1} << 60;
constexpr std::uint64_t kLongestTuple = 8;  // RGBA twice, or a complex 2x2 matrix; more is a short row
constexpr std::uint64_t kMax32 = std::numeric_limits<std::uint32_t>::max();

// a * b, or 0 if it does not fit 32 bits.
std::uint32_t product32(std::uint64_t a, std::uint64_t b) {
  return a != 0 && b <= kMax32 / a ? static_cast<std::uint32_t>(a * b) : 0;
}

struct FastAxes {
  std::array<std::uint64_t, 2> length{};  // 0 if there is no such axis
  bool more = false;                      // a slower axis exists: the fastest one is not the whole array
};

FastAxes fast_axes(const Axes& axes) {
  FastAxes fast;
  std::size_t found = 0;
  for (const std::uint64_t length : axes.lengths()) {
    if (length == 1) continue;
    if (found < fast.length.size()) fast.length[found] = length;
    ++found;
  }
  fast.more = found > fast.length.size();
  return fast;
}

}  // namespace

void Axes::reverse() {
  std::ranges::reverse(std::span(lengths_).first(count_));
}

std::uint64_t Axes::values() const {
  std::uint64_t product = 1;
  for (const std::uint64_t length : lengths()) {
    if (length == 0 || product > kMaxValues / length) return 0;
    product *= length;
  }
  return product;
}

bool lay_out(SniffedHint& hint, const Axes& axes) {
  if (axes.values() == 0) return false;
  const FastAxes fast = fast_axes(axes);
  auto row = fast.length[0];
  bool is_row = fast.length[1] != 0;  // a single axis is a series, not rows
  if (is_row && row <= kLongestTuple) {
    hint.type.tuple = product32(hint.type.tuple, row);
    row = fast.length[1];
    is_row = fast.more;
  }
  if (is_row) hint.row_words = product32(row, hint.type.tuple);
  return hint.type.tuple != 0 && is_row == (hint.row_words != 0);
}

bool lay_out_picture(SniffedHint& hint, std::uint64_t width, std::uint64_t height) {
  hint.row_words = product32(hint.type.tuple, width);
  return hint.row_words != 0 && height != 0;
}

}  // namespace tdz::formats
