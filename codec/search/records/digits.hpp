// SPDX-License-Identifier: Apache-2.0
// What words at every place of a record cost, digit by digit, as they are and under differences.
//
// The difference of two words is written to the base 256 with digits from -128 to 127. A small difference of
// either sign has one digit that is not 0, just as it has one byte after zigzag. The lower digits do not
// depend on the width of the word, so one pass gives the costs of all widths.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "codec/search/samples.hpp"
#include "formats/bytes.hpp"

namespace tdz {

// ---- What bytes cost: the length of an adaptive code, in integers

/// Costs are counted in these parts of a bit.
inline constexpr std::uint64_t kPartsOfBit = 256;

inline constexpr std::size_t kMostCounted = 16384;  ///< bytes that one ByteCost counts

/// What n equal bytes save: a byte that came c times before weighs c + 1/16, so that bytes that never come
/// cost little, and saves log2(16 c + 1).
std::uint64_t saved_by_equal(std::size_t n);

/// The length of the code for the bytes that were put in, beyond that of equal bytes. So what a code must
/// learn of bytes that never change costs nothing, even where there are few.
class ByteCost {
 public:
  void put(unsigned byte) { ++counts_[byte]; }
  /// `equal`: saved_by_equal of the number of bytes. What a byte saves does not depend on when it comes.
  std::uint64_t cost(std::uint64_t equal) const;
  /// How many bytes were within `reach` of `middle`.
  std::size_t near(unsigned middle, unsigned reach) const {
    std::size_t sum = 0;
    for (unsigned byte = middle - reach; byte <= middle + reach; ++byte) sum += counts_[byte];
    return sum;
  }

 private:
  std::array<std::uint16_t, 256> counts_{};
};

// ---- What words cost

inline constexpr std::size_t kWidestField = 8;
inline constexpr unsigned kFieldOrders = 3;  ///< 0, 1 and 2

/// Stretches of whole records. Behind each stretch stand 7 bytes or more of the next record.
class RecordSample {
 public:
  struct Stretch {
    const std::byte* bytes;
    std::size_t records;
  };

  /// From the middle of each piece, together about `bytes` bytes. The pieces begin with a record of `record`
  /// bytes.
  RecordSample(const Pieces& pieces, std::size_t record, std::size_t bytes);

  std::size_t record() const { return record_; }
  const std::vector<Stretch>& stretches() const { return stretches_; }
  /// Records that have two before them in their stretch, so that all orders can count them.
  std::size_t counted() const { return counted_; }

 private:
  std::size_t record_;
  std::vector<Stretch> stretches_;
  std::size_t counted_ = 0;
};

/// A word in every record; it may reach into the next one. Digit 0 is the lowest.
struct WordPlace {
  std::size_t at = 0;
  std::size_t width = 1;
  bool big_endian = false;

  std::size_t byte_of(std::size_t digit) const { return big_endian ? at + width - 1 - digit : at + digit; }
};

/// Costs are those of the whole sample. Order 0: the bytes as they are.
class DigitCosts {
 public:
  explicit DigitCosts(const RecordSample& sample);

  std::uint64_t word(const WordPlace& word, unsigned order) const;
  std::uint64_t digit(const WordPlace& word, unsigned order, std::size_t digit) const;
  /// Whether the digit differs so little that only its carries can stand above it.
  bool is_quiet(const WordPlace& word, unsigned order, std::size_t digit) const;
  /// Whether the digit, where it changes at all, changes as the top of an integer does. Orders 1 and 2.
  bool is_carry(const WordPlace& word, unsigned order, std::size_t digit) const;
  /// The bits of the byte at this place that some record has set.
  std::byte bits(std::size_t at) const { return bits_[at % record_]; }
  /// The sample's cost at so many parts of a bit for a word.
  std::uint64_t at_parts(std::uint64_t parts) const { return words_ * parts; }

 private:
  struct Differences {
    std::array<std::uint64_t, kWidestField + 1> sums{};  ///< costs of the first 0 to 8 digits
    std::array<bool, kWidestField> quiet{};
    std::array<bool, kWidestField> carry{};
  };
  using Orders = std::array<Differences, kFieldOrders - 1>;

  void measure_bytes(const RecordSample& sample, std::size_t at);
  template <bool Big>
  void measure_words(const RecordSample& sample, std::size_t lowest);
  const Differences& differences(const WordPlace& word, unsigned order) const {
    return places_[word.big_endian][word.byte_of(0) % record_][order - 1];
  }

  std::size_t record_;
  std::size_t words_;
  std::uint64_t equal_;
  std::vector<std::uint64_t> bytes_;           ///< by place
  std::vector<std::byte> bits_;                ///< by place
  std::array<std::vector<Orders>, 2> places_;  ///< by byte order and the place of digit 0
};

}  // namespace tdz
