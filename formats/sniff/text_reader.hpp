// SPDX-License-Identifier: Apache-2.0
// Reads headers that are text: NPY, FITS, netpbm. Not installed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace tdz::formats {

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

}  // namespace tdz::formats
