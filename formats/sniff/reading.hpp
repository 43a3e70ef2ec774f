// SPDX-License-Identifier: Apache-2.0
// What the readers of headers share: numbers and texts at given places of a prefix that may be hostile, the
// chunks of audio files, the axes of arrays. And one function for each family of formats. Not installed.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

#include "formats/bytes.hpp"
#include "formats/plan/plan.hpp"
#include "formats/sniff.hpp"

namespace tdz::formats {

// Families of formats, one function each. Each knows its magic, uses no field before it has checked it, and
// returns nothing if it does not understand the header. Only sniff() calls them.

std::optional<SniffedHint> sniff_wav(std::span<const std::byte> prefix);
std::optional<SniffedHint> sniff_aiff(std::span<const std::byte> prefix);
std::optional<SniffedHint> sniff_npy(std::span<const std::byte> prefix);
std::optional<SniffedHint> sniff_fits(std::span<const std::byte> prefix);
std::optional<SniffedHint> sniff_netpbm(std::span<const std::byte> prefix);
std::optional<SniffedHint> sniff_bmp(std::span<const std::byte> prefix);
std::optional<SniffedHint> sniff_tga(std::span<const std::byte> prefix);
std::optional<SniffedHint> sniff_tiff(std::span<const std::byte> prefix);
std::optional<SniffedHint> sniff_nifti(std::span<const std::byte> prefix);
std::optional<SniffedHint> sniff_netcdf3(std::span<const std::byte> prefix);
std::optional<SniffedHint> sniff_safetensors(std::span<const std::byte> prefix);

// ---- Numbers at given places, in either byte order

/// Reads anywhere. A read outside gives zero, and overran() is true from then on. So a parser may read many
/// fields and ask once, before it uses any of them.
class Fields {
 public:
  Fields(std::span<const std::byte> bytes, bool big_endian) : bytes_(bytes), big_endian_(big_endian) {}

  template <std::unsigned_integral T>
  T get(std::uint64_t at) {
    if (!holds(at, sizeof(T))) {
      overran_ = true;
      return 0;
    }
    const auto field = bytes_.subspan(static_cast<std::size_t>(at), sizeof(T));
    return big_endian_ ? get_be<T>(field) : get_le<T>(field);
  }
  std::uint8_t u8(std::uint64_t at) { return get<std::uint8_t>(at); }
  std::uint16_t u16(std::uint64_t at) { return get<std::uint16_t>(at); }
  std::uint32_t u32(std::uint64_t at) { return get<std::uint32_t>(at); }
  std::uint64_t u64(std::uint64_t at) { return get<std::uint64_t>(at); }

  /// Whether these letters are at this place. Outside the prefix: no, and overran() does not change.
  bool has(std::string_view letters, std::uint64_t at) const {
    return holds(at, letters.size()) && text(at, letters.size()) == letters;
  }
  /// Precondition: holds(at, length).
  std::string_view text(std::uint64_t at, std::uint64_t length) const {
    const auto part = bytes_.subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(length));
    return {reinterpret_cast<const char*>(part.data()), part.size()};
  }
  bool holds(std::uint64_t at, std::uint64_t length) const {
    return at <= bytes_.size() && length <= bytes_.size() - at;
  }
  std::uint64_t size() const { return bytes_.size(); }
  bool big_endian() const { return big_endian_; }
  bool overran() const { return overran_; }

 private:
  template <std::unsigned_integral T>
  static T get_be(std::span<const std::byte> field) {
    std::uint64_t value = 0;
    for (const std::byte b : field) value = value << 8 | std::to_integer<std::uint64_t>(b);
    return static_cast<T>(value);
  }

  std::span<const std::byte> bytes_;
  bool big_endian_;
  bool overran_ = false;
};

// ---- Headers that are text: NPY, FITS, netpbm, safetensors

/// Moves forward through a text, never beyond it: at the end peek() is NUL and nothing is taken.
class TextReader {
 public:
  explicit TextReader(std::string_view text) : text_(text) {}

  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

  bool at_end() const { return at_ == text_.size(); }
  std::size_t position() const { return at_; }
  char peek() const { return at_end() ? '\0' : text_[at_]; }
  /// Takes the next character.
  char next() { return at_end() ? '\0' : text_[at_++]; }
  bool take(char c) {
    if (at_end() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool take(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  void skip_spaces() {
    while (!at_end() && is_space(text_[at_])) ++at_;
  }
  /// Everything up to the next `c` or the end. Also takes the `c`, if there is one.
  std::string_view take_until(char c) {
    const std::size_t stop = text_.find(c, at_);
    const auto taken = text_.substr(at_, stop == std::string_view::npos ? stop : stop - at_);
    at_ += taken.size();
    take(c);
    return taken;
  }
  /// Decimal digits without a sign. Nothing if there is no digit, or if the number exceeds 64 bits.
  std::optional<std::uint64_t> number() {
    constexpr auto kMax = std::numeric_limits<std::uint64_t>::max();
    if (!is_digit(peek())) return std::nullopt;
    std::uint64_t value = 0;
    while (is_digit(peek())) {
      const auto digit = static_cast<std::uint64_t>(next() - '0');
      if (value > (kMax - digit) / 10) return std::nullopt;
      value = value * 10 + digit;
    }
    return value;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

// ---- WAV and AIFF: chunks, and the width of a sample as a type

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

// ---- The axes of an array as tuple and row

/// The lengths of an array's axes. At most 64, the limit of NumPy; real files of other formats have at most
/// 16.
class Axes {
 public:
  /// False if there is no room left.
  bool add(std::uint64_t length) {
    if (count_ == lengths_.size()) return false;
    lengths_[count_++] = length;
    return true;
  }
  void reverse();
  std::span<const std::uint64_t> lengths() const { return {lengths_.data(), count_}; }
  /// The number of values: 0 if an axis is empty or the product exceeds 2^60, more than any file holds.
  std::uint64_t values() const;

 private:
  std::array<std::uint64_t, 64> lengths_{};
  std::size_t count_ = 0;
};

/// Sets tuple and row from the axes, the fastest axis first. Before the call, `hint.type.tuple` is the number
/// of words in one value. If the fastest axis has length 2 to 8, it is the components of one value (x y z,
/// RGBA); if it is longer, it is a row. Axes of length 1 are ignored. False if there are no values, or if
/// tuple or row exceed 32 bits.
bool lay_out(SniffedHint& hint, const Axes& axes);

/// Sets tuple and row of an image with `hint.type.tuple` words in each pixel. False if it is empty or a row
/// exceeds 32 bits.
bool lay_out_picture(SniffedHint& hint, std::uint64_t width, std::uint64_t height);

}  // namespace tdz::formats
