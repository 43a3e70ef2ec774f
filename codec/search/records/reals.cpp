// SPDX-License-Identifier: Apache-2.0
#include "codec/search/records/reals.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "codec/search/records/byte_cost.hpp"

namespace tdz {
namespace {

/// Above bytes of zero a byte whose differences tell little, below one that varies, is the top of an integer,
/// not a part of a mantissa.
bool has_mantissas(const DigitCosts& costs, const WordPlace& word) {
  bool begun = false;
  for (std::size_t k = 0; k + 3 < word.width; ++k) {
    const bool top = costs.is_carry(word, 1, k) || costs.is_carry(word, 2, k);
    const bool more_above = costs.digit(word, 0, k + 1) > costs.at_parts(3 * kPartsOfBit);
    begun = begun || costs.bits(word.byte_of(k)) != std::byte{};
    if (begun && top && more_above) return false;
  }
  // Zeros that end where another field may begin are no mantissa.
  return begun || (costs.bits(word.byte_of(word.width - 4)) & std::byte{1}) == std::byte{};
}

bool is_printable(std::byte byte) {
  const auto c = std::to_integer<unsigned>(byte);
  return (c >= 0x20 && c < 0x7F) || c == '\n' || c == '\r' || c == '\t';
}

/// The exponents of f32 or f64.
class Exponents {
 public:
  explicit Exponents(const WordPlace& word)
      : word_(word), bits_(word.width == 4 ? 8 : 11), middle_((1u << (bits_ - 1)) - 1) {}

  void put(const std::byte* at) {
    const std::uint64_t x = formats::load_word(at, word_.width, word_.big_endian) << (64 - 8 * word_.width);
    const auto exponent = static_cast<unsigned>(x << 1 >> (64 - bits_));
    ++words_;
    zeros_ += x == 0;
    if (x == 0 || !is_within(exponent, word_.width == 4 ? 40 : 64)) return;
    ++likely_;
    ++counts_[exponent];
    text_ += std::ranges::all_of(std::span(at, word_.width), is_printable);
  }

  /// Most are within 2^-40 .. 2^40 (f64: 2^-64 .. 2^64). One exponent is frequent: else its lower bits are
  /// noise. An exponent that never changes is within 2^-20 .. 2^20.
  bool are_moderate() const {
    const auto usual = std::ranges::max_element(counts_);
    const bool constant = *usual == likely_ && !is_within(static_cast<unsigned>(usual - counts_.begin()), 20);
    return zeros_ * 8 < words_ * 7 && likely_ * 16 >= (words_ - zeros_) * 15 && *usual * 8u >= likely_ &&
           !constant;
  }
  bool are_text() const { return text_ * 8 >= likely_ * 7; }

 private:
  bool is_within(unsigned exponent, unsigned reach) const {
    return exponent + reach >= middle_ && exponent <= middle_ + reach;
  }

  const WordPlace& word_;
  unsigned bits_;
  unsigned middle_;
  std::size_t words_ = 0, zeros_ = 0, likely_ = 0, text_ = 0;
  std::array<std::uint16_t, 2048> counts_{};
};

}  // namespace

bool looks_real(const RecordSample& sample, const DigitCosts& costs, const WordPlace& word) {
  if ((word.width != 4 && word.width != 8) || !has_mantissas(costs, word)) return false;
  Exponents exponents(word);
  for (const auto& stretch : sample.stretches()) {
    for (std::size_t i = 0; i < stretch.records; ++i)
      exponents.put(stretch.bytes + i * sample.record() + word.at);
  }
  if (!exponents.are_moderate() || exponents.are_text()) return false;
  // The lower half of a number of 8 bytes is none of 4 bytes; where it is, there are two.
  const WordPlace lower{word.big_endian ? word.at + 4 : word.at, 4, word.big_endian};
  return word.width == 4 || !looks_real(sample, costs, lower);
}

}  // namespace tdz
