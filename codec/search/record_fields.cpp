// SPDX-License-Identifier: Apache-2.0
#include "codec/search/record_fields.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <span>

#include "codec/search/record_costs.hpp"

namespace tdz {
namespace {

constexpr std::size_t kWidest = 8;
constexpr unsigned kOrders = 3;

/// The stretches of the sample: from the middle of every piece, whole records, and 8 bytes behind the last
/// one that belong to the next.
struct Stretch {
  const std::byte* bytes;
  std::size_t records;
};

std::vector<Stretch> stretches_of(const Pieces& records, std::size_t record, std::size_t sample) {
  std::vector<Stretch> stretches;
  std::size_t left = kMostCounted;
  for (const auto piece : records) {
    const std::size_t here = piece.size() / record - std::min<std::size_t>(piece.size() / record, 1 + 8 / record);
    const std::size_t wanted = std::max<std::size_t>(sample / records.size() / record, 4);
    const std::size_t count = std::min({here, wanted, left});
    if (count <= 2) continue;
    stretches.push_back({piece.data() + (here - count) / 2 * record, count});
    left -= count;
  }
  return stretches;
}

std::uint64_t load_little(const std::byte* at, std::size_t width = kWidest) {
  std::uint64_t x = 0;
  for (std::size_t b = 0; b < width; ++b) x |= std::to_integer<std::uint64_t>(at[b]) << (8 * b);
  return x;
}
std::uint64_t load_big(const std::byte* at, std::size_t width = kWidest) {
  std::uint64_t x = 0;
  for (std::size_t b = 0; b < width; ++b) x = x << 8 | std::to_integer<std::uint64_t>(at[b]);
  return x;
}
/// The word whose lowest byte is there.
template <bool Big>
std::uint64_t load(const std::byte* lowest) {
  return Big ? load_big(lowest - (kWidest - 1)) : load_little(lowest);
}

/// The digits of a difference to the base 256, from -128 to 127: a small difference of either sign has one
/// digit, as it has one byte after zigzag, and the lower digits do not depend on the width of the word.
constexpr std::uint64_t kDigits = 0x8080808080808080u;

constexpr unsigned kQuiet = 32;
constexpr unsigned kCarry = 4;

/// What the digits of differences of words whose lowest byte is there. Sums
/// over the first 1 to 8 of them.
struct PlaceCosts {
  using Sums = std::array<std::uint64_t, kWidest + 1>;
  std::array<std::array<Sums, 2>, 2> differences{};  ///< [big-endian][order - 1]
  std::array<std::array<std::array<bool, kWidest>, 2>, 2> quiet{};  ///< the digit is small
  std::array<std::array<std::array<bool, kWidest>, 2>, 2> carries{};  ///< the digit is tiny if it is not 0
};

class Costs {
 public:
  Costs(const std::vector<Stretch>& stretches, std::size_t record)
      : stretches_(stretches), record_(record), places_(record), bytes_(record) {
    for (const Stretch& s : stretches_) words_ += s.records - 2;
    totals_ = logs_of_totals(words_);
    for (std::size_t a = 0; a < record_; ++a) {
      measure_bytes(a);
      measure_words<false>(a);
      measure_words<true>(a);
    }
  }
  std::size_t words() const { return words_; }

  /// Of the digit of significance k of the word at `a`, with this difference.
  std::uint64_t digit(std::size_t a, std::size_t width, bool big, unsigned order, std::size_t k) const {
    if (order == 0) return bytes_[(big ? a + width - 1 - k : a + k) % record_];
    const auto& sums = places_[(big ? a + width - 1 : a) % record_].differences[big][order - 1];
    return sums[k + 1] - sums[k];
  }
  /// Whether a digit differs so little that what stands above it can only be its carry.
  bool is_quiet(std::size_t a, std::size_t width, bool big, unsigned order, std::size_t k) const {
    if (order == 0) return digit(a, width, big, order, k) < words_ * 256;
    return places_[(big ? a + width - 1 : a) % record_].quiet[big][order - 1][k];
  }
  /// Whether a digit, where it changes at all, changes as the top of an integer does. order: 1 or 2.
  bool is_carry(std::size_t a, std::size_t width, bool big, unsigned order, std::size_t k) const {
    return places_[(big ? a + width - 1 : a) % record_].carries[big][order - 1][k];
  }
  /// Of the word.
  std::uint64_t of(std::size_t a, std::size_t width, bool big, unsigned order) const {
    if (order > 0) return places_[(big ? a + width - 1 : a) % record_].differences[big][order - 1][width];
    std::uint64_t sum = 0;
    for (std::size_t b = 0; b < width; ++b) sum += bytes_[(a + b) % record_];
    return sum;
  }

 private:
  void measure_bytes(std::size_t a) {
    ByteCost cost(logs_of_counts());
    for (const Stretch& s : stretches_) {
      for (std::size_t i = 2; i < s.records; ++i) cost.put(std::to_integer<unsigned>(s.bytes[i * record_ + a]));
    }
    bytes_[a] = cost.cost(totals_);
  }

  /// A big-endian word may begin in the record before: its digits count from the second record on.
  template <bool Big>
  void measure_words(std::size_t a) {
    std::array<std::array<ByteCost, kWidest>, 2> costs = empty_costs();
    for (const Stretch& s : stretches_) {
      const std::byte* at = s.bytes + a;
      const bool inside = !Big || a + 1 >= kWidest;
      std::uint64_t before = inside ? load<Big>(at) : 0;
      at += record_;
      std::uint64_t last = inside || record_ + a + 1 >= kWidest ? load<Big>(at) : 0;
      std::uint64_t first = last - before;
      for (std::size_t i = 2; i < s.records; ++i) {
        at += record_;
        const std::uint64_t x = Big && i * record_ + a + 1 < kWidest ? 0 : load<Big>(at);
        const std::uint64_t difference = x - last;
        const std::uint64_t second = difference - first;
        put(difference, costs[0]);
        put(second, costs[1]);
        last = x;
        first = difference;
      }
    }
    for (std::size_t order = 0; order < 2; ++order) {
      auto& sums = places_[a].differences[Big][order];
      for (std::size_t k = 0; k < kWidest; ++k) {
        sums[k + 1] = sums[k] + costs[order][k].cost(totals_);
        const std::size_t zeros = costs[order][k].near(128, 0);
        places_[a].quiet[Big][order][k] = costs[order][k].near(128, kQuiet) * 8 >= words_ * 7;
        places_[a].carries[Big][order][k] = (costs[order][k].near(128, kCarry) - zeros) * 8 >= (words_ - zeros) * 7;
      }
    }
  }
  static void put(std::uint64_t difference, std::array<ByteCost, kWidest>& costs) {
    const std::uint64_t digits = difference + kDigits;
    for (std::size_t k = 0; k < kWidest; ++k) costs[k].put(digits >> (8 * k) & 255);
  }
  static std::array<std::array<ByteCost, kWidest>, 2> empty_costs() {
    const ByteCost empty(logs_of_counts());
    std::array<ByteCost, kWidest> of_order{empty, empty, empty, empty, empty, empty, empty, empty};
    return {of_order, of_order};
  }

  const std::vector<Stretch>& stretches_;
  std::size_t record_;
  std::vector<PlaceCosts> places_;
  std::vector<std::uint64_t> bytes_;
  std::size_t words_ = 0;
  std::uint64_t totals_ = 0;
};

/// Parts of 256 of a bit.
constexpr std::int64_t bits(double n) {
  return static_cast<std::int64_t>(n * 256);
}

struct Priced {
  RecordField field;
  std::uint64_t bits = 0;
  std::int64_t bias = 0;  ///< beside the bits: what makes equal cuts different

  std::int64_t price() const { return static_cast<std::int64_t>(bits) + bias; }
};

/// Cuts records whose words have one byte order.
class Cutter {
 public:
  Cutter(const std::vector<Stretch>& stretches, std::size_t record, const Costs& costs, bool big)
      : stretches_(stretches), record_(record), costs_(costs), big_(big), priced_(record * kWidest) {
    for (std::size_t a = 0; a < record; ++a) {
      for (std::size_t width = 1; width <= std::min(kWidest, record); ++width)
        priced_[a * kWidest + width - 1] = priced(a, width);
    }
  }

  /// Where a record falls into too many columns, changes of the width cost more.
  RecordGuess best_cut() const {
    RecordGuess best = best_cut(kChange);
    for (std::int64_t change = 4 * kChange; change <= 256 * kChange && changes(best) > kMostChanges; change *= 4)
      best = best_cut(change);
    best.plain_bits = plain_bits();
    return best;
  }

 private:
  RecordGuess best_cut(std::int64_t of_change) const {
    RecordGuess best;
    for (std::size_t begin = 0; begin < std::min(kWidest, record_); ++begin) {
      RecordGuess guess = cut_from(begin, of_change);
      if (begin > 0) guess.price += words() * kShifted;
      if (begin == 0 || guess.price < best.price) best = std::move(guess);
    }
    return best;
  }

  /// How often the width changes from field to field.
  static std::size_t changes(const RecordGuess& guess) {
    std::size_t sum = 0;
    for (std::size_t f = 1; f < guess.fields.size(); ++f) sum += guess.fields[f].width != guess.fields[f - 1].width;
    return sum;
  }

  static constexpr std::size_t kMostChanges = 10;
  static constexpr std::int64_t kNever = INT64_MAX / 2;

  // For every word of a field. They decide where the bits say nothing.
  static constexpr std::int64_t kField = bits(0.03);     // few fields
  static constexpr std::int64_t kChange = bits(0.004);   // few columns: they are faster
  static constexpr std::int64_t kOfThree = bits(0.02);   // words of 3 bytes are slow
  static constexpr std::int64_t kUnusual = bits(0.06);   // of 5, 6 and 7 bytes too, and rare
  static constexpr std::int64_t kAcross = bits(0.01);    // a place that C would not choose
  static constexpr std::int64_t kReal = bits(0.05);      // of each byte: whole real numbers can be scaled
  static constexpr std::int64_t kBoundary = bits(0.15);  // a field seems to end inside
  static constexpr std::int64_t kShifted = bits(0.1);    // a record that begins elsewhere costs a chunk
  static constexpr std::int64_t kBig = bits(0.01);       // of each byte: big-endian words are rare

  std::int64_t words() const { return static_cast<std::int64_t>(costs_.words()); }
  std::uint64_t per_word(std::int64_t bits_a_word) const {
    return costs_.words() * static_cast<std::uint64_t>(bits_a_word);
  }

  const Priced& at(std::size_t a, std::size_t width) const {
    return priced_[a % record_ * kWidest + width - 1];
  }

  Priced priced(std::size_t a, std::size_t width) const {
    Priced best;
    const bool real = looks_real(a, width);
    for (unsigned order = 0; order < kOrders; ++order) {
      const RecordField field{static_cast<std::uint8_t>(width), big_ && width > 1, real, static_cast<std::uint8_t>(order)};
      const Priced here{field, costs_.of(a, width, big_, order), bias_of(a, field)};
      if (order == 0 || here.price() < best.price()) best = here;
    }
    if (real) best.bits = std::min(best.bits, bits_of_decimals(a, width));
    return best;
  }

  /// Decimals have few lower parts, which do not follow from one another. The step scale, if it is chosen, does
  /// better still.
  std::uint64_t bits_of_decimals(std::size_t a, std::size_t width) const {
    std::uint64_t lowest = UINT64_MAX;
    for (std::size_t part = 1; part < width; ++part) {
      const std::size_t lower = big_ ? a + width - part : a, upper = big_ ? a : a + part;
      for (unsigned order = 0; order < kOrders; ++order) {
        const std::uint64_t sum = costs_.of(lower, part, big_, 0) + costs_.of(upper, width - part, big_, order);
        lowest = std::min(lowest, sum);
      }
    }
    return lowest;
  }

  std::int64_t bias_of(std::size_t a, const RecordField& field) const {
    std::int64_t bias = kField;
    if (field.width == 3) bias += kOfThree;
    if (field.width == 5 || field.width == 6 || field.width == 7) bias += kUnusual;
    if (std::has_single_bit(field.width) && a % field.width != 0) bias += kAcross;
    if (field.big_endian) bias += kBig * field.width;
    if (field.real) bias -= kReal * field.width;
    if (!field.real) bias += kBoundary * boundaries_inside(a, field);
    return words() * bias;
  }

  /// What the digit of this significance costs in the word at `a`.
  std::uint64_t digit(std::size_t a, const RecordField& field, std::size_t k) const {
    return costs_.digit(a, field.width, big_, field.order, k);
  }

  /// Above a digit that differs little there is next to nothing in a word. Where it is otherwise, another field
  /// begins.
  std::int64_t boundaries_inside(std::size_t a, const RecordField& field) const {
    std::int64_t boundaries = 0;
    for (std::size_t k = 0; k + 1 < field.width; ++k) {
      const std::uint64_t low = digit(a, field, k), high = digit(a, field, k + 1);
      const bool tells = high > per_word(bits(1)) && high > low / 2;
      boundaries += tells && costs_.is_quiet(a, field.width, big_, field.order, k);
    }
    return boundaries;
  }

  /// Whether words look like IEEE 754 numbers of 4 or 8 bytes: most exponents are moderate, they are no
  /// text, and lower bytes of the mantissa tell no less than higher ones.
  bool looks_real(std::size_t a, std::size_t width) const {
    if (width != 4 && width != 8) return false;
    const bool real = has_mantissas(a, width) && has_moderate_exponents(a, width);
    const std::size_t lower = big_ ? a + 4 : a;
    return real && (width == 4 || !looks_real(lower, 4));  // two of 4 bytes
  }

  /// Behind bytes of zero, lower bytes of a mantissa tell no less than higher ones. A byte whose differences tell
  /// little, below one that varies, is part of an integer.
  bool has_mantissas(std::size_t a, std::size_t width) const {
    bool begun = false;
    for (std::size_t k = 0; k + 3 < width; ++k) {
      const bool quiet = costs_.is_carry(a, width, big_, 1, k) || costs_.is_carry(a, width, big_, 2, k);
      const bool above = costs_.digit(a, width, big_, 0, k + 1) > per_word(bits(3));
      begun = begun || !is_zero(big_ ? a + width - 1 - k : a + k);
      if (begun && quiet && above) return false;
    }
    return begun || costs_.digit(a, width, big_, 0, width - 4) < per_word(bits(0.3));
  }
  bool is_zero(std::size_t a) const {
    for (const Stretch& s : stretches_) {
      for (std::size_t i = 0; i < s.records; ++i)
        if (s.bytes[i * record_ + a % record_] != std::byte{}) return false;
    }
    return true;
  }

  /// Within 2^-40 .. 2^40, of 8 bytes within 2^-64 .. 2^64; an exponent that never changes, within 2^-20 ..
  /// 2^20. One exponent is frequent: else its lower bits are noise, and so no exponent.
  bool has_moderate_exponents(std::size_t a, std::size_t width) const {
    const unsigned exponent_bits = width == 4 ? 8 : 11;
    const unsigned middle = (1u << (exponent_bits - 1)) - 1;
    const unsigned reach = width == 4 ? 40 : 64;
    std::size_t words = 0, zeros = 0, likely = 0, text = 0;
    std::array<std::uint16_t, 2048> counts{};
    for (const Stretch& s : stretches_) {
      for (std::size_t i = 1; i < s.records; ++i) {
        const std::byte* at = s.bytes + i * record_ + a;
        const std::uint64_t x = (big_ ? load_big(at, width) : load_little(at, width)) << (64 - 8 * width);
        const auto exponent = static_cast<unsigned>(x << 1 >> (64 - exponent_bits));
        ++words;
        zeros += x == 0;
        if (x == 0 || exponent + reach < middle || exponent > middle + reach) continue;
        ++likely;
        text += std::all_of(at, at + width, is_printable);
        ++counts[exponent];
      }
    }
    const auto usual = static_cast<unsigned>(std::ranges::max_element(counts) - counts.begin());
    const bool one_exponent = counts[usual] == likely;
    if (one_exponent && (usual + 20 < middle || usual > middle + 20)) return false;
    if (counts[usual] * 8u < likely) return false;
    return zeros * 8 < words * 7 && likely * 16 >= (words - zeros) * 15 && text * 8 < likely * 7;
  }
  static bool is_printable(std::byte byte) {
    const auto c = std::to_integer<unsigned>(byte);
    return (c >= 0x20 && c < 0x7F) || c == '\n' || c == '\r' || c == '\t';
  }

  /// The best fields for places `begin` .. `begin` + record, by their ends.
  /// The best fields for places `begin` .. `begin` + record: for every end and every width of the last field,
  /// what the fields up to there cost.
  RecordGuess cut_from(std::size_t begin, std::int64_t of_change) const {
    struct Last {
      std::int64_t price = kNever;
      std::size_t before = 0;  ///< the width of the field before
    };
    const std::size_t widest = std::min(kWidest, record_);
    std::vector<std::array<Last, kWidest + 1>> best(record_ + 1);
    best[0][0].price = 0;
    for (std::size_t end = 1; end <= record_; ++end) {
      for (std::size_t width = 1; width <= std::min(widest, end); ++width) {
        Last& last = best[end][width];
        for (std::size_t before = 0; before <= widest; ++before) {
          const bool change = before != width && before != 0;
          const std::int64_t with = best[end - width][before].price + (change ? words() * of_change : 0);
          if (with < last.price) last = {with, before};
        }
        if (last.price < kNever) last.price += at(begin + end - width, width).price();
      }
    }
    std::size_t width = 1;
    for (std::size_t w = 2; w <= widest; ++w)
      if (best[record_][w].price < best[record_][width].price) width = w;
    RecordGuess guess{begin, {}, 0, 0, 0, best[record_][width].price, costs_.words(), record_};
    for (std::size_t end = record_; end > 0;) {
      const Priced& field = at(begin + end - width, width);
      guess.fields.push_back(field.field);
      guess.bits += field.bits;
      if (!field.field.real) guess.integer_bits += field.bits;
      const std::size_t before = best[end][width].before;
      end -= width;
      width = before;
    }
    std::ranges::reverse(guess.fields);
    return guess;
  }

  /// Equal words, with one order for all of them.
  std::uint64_t plain_bits() const {
    std::uint64_t lowest = UINT64_MAX;
    for (const std::size_t width : {1u, 2u, 4u, 8u}) {
      if (record_ % width != 0) continue;
      for (unsigned order = 0; order < kOrders; ++order) {
        std::uint64_t sum = 0;
        for (std::size_t a = 0; a < record_; a += width) sum += costs_.of(a, width, big_, order);
        lowest = std::min(lowest, sum);
      }
    }
    return lowest;
  }

  const std::vector<Stretch>& stretches_;
  std::size_t record_;
  const Costs& costs_;
  bool big_;
  std::vector<Priced> priced_;
};

}  // namespace

RecordGuess guess_fields(const Pieces& records, std::size_t record, std::size_t sample) {
  const auto stretches = stretches_of(records, record, sample);
  if (stretches.empty()) return {};
  const Costs costs(stretches, record);
  RecordGuess little = Cutter(stretches, record, costs, false).best_cut();
  RecordGuess big = Cutter(stretches, record, costs, true).best_cut();
  return big.price < little.price ? big : little;
}

}  // namespace tdz
