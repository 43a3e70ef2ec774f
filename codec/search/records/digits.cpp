// SPDX-License-Identifier: Apache-2.0
#include "codec/search/records/digits.hpp"

#include <algorithm>
#include <bit>

namespace tdz {
namespace {

constexpr int kFractionBits = 8;
static_assert(kPartsOfBit == 1u << kFractionBits);

/// log2(x) in parts of a bit, rounded down, for x >= 1. Each squaring of the mantissa gives one more bit.
constexpr std::uint32_t log2_in_parts(std::uint32_t x) {
  const int whole = static_cast<int>(std::bit_width(x)) - 1;
  std::uint64_t mantissa = std::uint64_t{x} << (31 - whole);  // 1.0 is 2^31
  auto parts = static_cast<std::uint32_t>(whole);
  for (int bit = 0; bit < kFractionBits; ++bit) {
    mantissa = mantissa * mantissa >> 31;
    const std::uint32_t carry = mantissa >> 32 != 0;
    mantissa >>= carry;
    parts = parts << 1 | carry;
  }
  return parts;
}

constexpr auto kSavedByEqual = [] {
  std::array<std::uint32_t, kMostCounted + 1> sums{};
  for (std::uint32_t c = 0; c + 1 < sums.size(); ++c) sums[c + 1] = sums[c] + log2_in_parts(16 * c + 1);
  return sums;
}();

}  // namespace

std::uint64_t saved_by_equal(std::size_t n) {
  return kSavedByEqual[n];
}

std::uint64_t ByteCost::cost(std::uint64_t equal) const {
  for (const std::uint16_t count : counts_) equal -= kSavedByEqual[count];
  return equal;
}

namespace {

constexpr std::size_t kFewestOfStretch = 4;  // of a stretch

// A digit + kZero is a byte.
constexpr unsigned kZero = 128;
constexpr std::uint64_t kZeros = 0x8080808080808080u;
constexpr unsigned kQuiet = 32;
constexpr unsigned kCarry = 4;

using DigitBytes = std::array<ByteCost, kWidestField>;

void put(std::uint64_t difference, DigitBytes& digits) {
  const std::uint64_t bytes = difference + kZeros;
  for (std::size_t k = 0; k < digits.size(); ++k) digits[k].put(bytes >> (8 * k) & 255);
}

/// Seven of eight.
bool are_most(std::size_t part, std::size_t all) {
  return part * 8 >= all * 7;
}

}  // namespace

RecordSample::RecordSample(const Pieces& pieces, std::size_t record, std::size_t bytes) : record_(record) {
  std::size_t left = kMostCounted;
  for (const auto piece : pieces) {
    const std::size_t whole = piece.size() / record;
    const std::size_t here = whole - std::min(whole, 1 + kWidestField / record);
    const std::size_t wanted = std::max(bytes / pieces.size() / record, kFewestOfStretch);
    const std::size_t count = std::min({here, wanted, left});
    if (count < kFewestOfStretch) continue;
    stretches_.push_back({piece.data() + (here - count) / 2 * record, count});
    counted_ += count - 2;
    left -= count;
  }
}

DigitCosts::DigitCosts(const RecordSample& sample)
    : record_(sample.record()),
      words_(sample.counted()),
      equal_(saved_by_equal(words_)),
      bytes_(record_),
      bits_(record_),
      places_{std::vector<Orders>(record_), std::vector<Orders>(record_)} {
  for (std::size_t at = 0; at < record_; ++at) {
    measure_bytes(sample, at);
    measure_words<false>(sample, at);
    measure_words<true>(sample, at);
  }
}

void DigitCosts::measure_bytes(const RecordSample& sample, std::size_t at) {
  ByteCost cost;
  for (const auto& stretch : sample.stretches()) {
    for (std::size_t i = 0; i < stretch.records; ++i) {
      const std::byte byte = stretch.bytes[i * record_ + at];
      bits_[at] |= byte;
      if (i >= 2) cost.put(std::to_integer<unsigned>(byte));
    }
  }
  bytes_[at] = cost.cost(equal_);
}

/// A big-endian word may begin before the stretch; then it counts as 0.
template <bool Big>
void DigitCosts::measure_words(const RecordSample& sample, std::size_t lowest) {
  std::array<DigitBytes, kFieldOrders - 1> digits;
  for (const auto& stretch : sample.stretches()) {
    const auto word = [&](std::size_t i) {
      const std::size_t at = i * record_ + lowest;
      if (!Big) return formats::load_word(stretch.bytes + at, kWidestField, false);
      const bool inside = at + 1 >= kWidestField;
      return inside ? formats::load_word(stretch.bytes + at + 1 - kWidestField, kWidestField, true) : 0;
    };
    std::uint64_t last = word(1);
    std::uint64_t first = last - word(0);
    for (std::size_t i = 2; i < stretch.records; ++i) {
      const std::uint64_t x = word(i), difference = x - last;
      put(difference, digits[0]);
      put(difference - first, digits[1]);
      last = x;
      first = difference;
    }
  }
  for (std::size_t order = 0; order < digits.size(); ++order) {
    Differences& result = places_[Big][lowest][order];
    for (std::size_t k = 0; k < kWidestField; ++k) {
      const ByteCost& bytes = digits[order][k];
      const std::size_t zeros = bytes.near(kZero, 0);
      result.sums[k + 1] = result.sums[k] + bytes.cost(equal_);
      result.quiet[k] = are_most(bytes.near(kZero, kQuiet), words_);
      result.carry[k] = are_most(bytes.near(kZero, kCarry) - zeros, words_ - zeros);
    }
  }
}

std::uint64_t DigitCosts::word(const WordPlace& word, unsigned order) const {
  if (order > 0) return differences(word, order).sums[word.width];
  std::uint64_t sum = 0;
  for (std::size_t b = 0; b < word.width; ++b) sum += bytes_[(word.at + b) % record_];
  return sum;
}

std::uint64_t DigitCosts::digit(const WordPlace& word, unsigned order, std::size_t digit) const {
  if (order == 0) return bytes_[word.byte_of(digit) % record_];
  const auto& sums = differences(word, order).sums;
  return sums[digit + 1] - sums[digit];
}

bool DigitCosts::is_quiet(const WordPlace& word, unsigned order, std::size_t digit) const {
  if (order == 0) return this->digit(word, order, digit) < at_parts(kPartsOfBit);
  return differences(word, order).quiet[digit];
}

bool DigitCosts::is_carry(const WordPlace& word, unsigned order, std::size_t digit) const {
  return differences(word, order).carry[digit];
}

}  // namespace tdz
