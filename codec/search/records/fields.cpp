// SPDX-License-Identifier: Apache-2.0
#include "codec/search/records/fields.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <span>

#include "codec/search/records/digits.hpp"

namespace tdz {
namespace {

// In parts of a bit, for every word. These decide where the costs say nothing.
constexpr std::int64_t kField = 7;      // few fields
constexpr std::int64_t kChange = 1;     // few changes of the width, and so few columns: they are faster
constexpr std::int64_t kOfThree = 5;    // words of 3 bytes are slower
constexpr std::int64_t kUnusual = 15;   // those of 5, 6 and 7 bytes too, and rare
constexpr std::int64_t kAcross = 2;     // a place that C would not choose
constexpr std::int64_t kBoundary = 38;  // a field seems to end inside
constexpr std::int64_t kShifted = 25;   // a record that begins elsewhere takes one more chunk
// The same for every byte of a word.
constexpr std::int64_t kReal = 12;  // real numbers stay whole, because then they may be scaled
constexpr std::int64_t kBig = 2;    // big-endian words are rare

constexpr std::size_t kMostChanges = 10;  // of the width, before changes cost more
constexpr std::int64_t kHighestChange = 256 * kChange;
constexpr std::size_t kManyRecords = 4096;

// ---- Are the words at a place IEEE 754 numbers? What their bytes say, in integers.

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
    const std::uint64_t x = number_at(at);
    ++words_;
    zeros_ += x == 0;
    if (!is_likely(x)) return;
    ++likely_;
    ++counts_[exponent_of(x)];
  }

  /// Most are within 2^-40 .. 2^40 (f64: 2^-64 .. 2^64). One exponent is frequent: else its lower bits are
  /// noise. An exponent that never changes is within 2^-20 .. 2^20.
  bool are_moderate() const {
    const auto usual = std::ranges::max_element(counts_);
    const bool constant = *usual == likely_ && !is_within(static_cast<unsigned>(usual - counts_.begin()), 20);
    return zeros_ * 8 < words_ * 7 && !has_many_others(words_ - zeros_) && *usual * 8u >= likely_ &&
           !constant;
  }

  /// More than 1 in 16 of so many words that are not zero.
  bool has_many_others(std::size_t words) const { return (words_ - zeros_ - likely_) * 16 > words; }
  /// Of words that were put.
  bool is_likely_text(const std::byte* at) const {
    return is_likely(number_at(at)) && std::ranges::all_of(std::span(at, word_.width), is_printable);
  }
  bool are_text(std::size_t likely_text) const { return likely_text * 8 >= likely_ * 7; }

 private:
  std::uint64_t number_at(const std::byte* at) const {
    return formats::load_word(at, word_.width, word_.big_endian) << (64 - 8 * word_.width);
  }
  unsigned exponent_of(std::uint64_t x) const { return static_cast<unsigned>(x << 1 >> (64 - bits_)); }
  bool is_likely(std::uint64_t x) const {
    return x != 0 && is_within(exponent_of(x), word_.width == 4 ? 40 : 64);
  }
  bool is_within(unsigned exponent, unsigned reach) const {
    return exponent + reach >= middle_ && exponent <= middle_ + reach;
  }

  const WordPlace& word_;
  unsigned bits_;
  unsigned middle_;
  std::size_t words_ = 0, zeros_ = 0, likely_ = 0;
  std::array<std::uint16_t, 2048> counts_{};
};

/// Words of 4 or 8 bytes: moderate exponents, mantissas whose lower bytes tell no less than higher ones, no
/// text.
bool looks_real(const RecordSample& sample, const DigitCosts& costs, const WordPlace& word) {
  if ((word.width != 4 && word.width != 8) || !has_mantissas(costs, word)) return false;
  Exponents exponents(word);
  std::size_t words = 0, text = 0;
  for (const auto& stretch : sample.stretches()) words += stretch.records;
  for (const auto& stretch : sample.stretches()) {
    for (std::size_t i = 0; i < stretch.records && !exponents.has_many_others(words); ++i)
      exponents.put(stretch.bytes + i * sample.record() + word.at);
  }
  if (exponents.has_many_others(words) || !exponents.are_moderate()) return false;
  for (const auto& stretch : sample.stretches()) {
    for (std::size_t i = 0; i < stretch.records; ++i)
      text += exponents.is_likely_text(stretch.bytes + i * sample.record() + word.at);
  }
  if (exponents.are_text(text)) return false;
  // The lower half of a number of 8 bytes is none of 4 bytes; where it is, there are two.
  const WordPlace lower{word.big_endian ? word.at + 4 : word.at, 4, word.big_endian};
  return word.width == 4 || !looks_real(sample, costs, lower);
}

// ---- Cuts

struct Priced {
  RecordField field;
  std::int64_t bias = 0;  ///< what makes cuts of equal cost different

  std::int64_t price() const { return static_cast<std::int64_t>(field.cost) + bias; }
};

/// How often the width changes from field to field.
std::size_t changes(const RecordGuess& guess) {
  std::size_t sum = 0;
  for (std::size_t f = 1; f < guess.fields.size(); ++f)
    sum += guess.fields[f].width != guess.fields[f - 1].width;
  return sum;
}

/// Cuts records whose words have one byte order.
class Cutter {
 public:
  Cutter(const RecordSample& sample, const DigitCosts& costs, bool big_endian)
      : sample_(sample),
        record_(sample.record()),
        widest_(std::min(kWidestField, record_)),
        costs_(costs),
        big_endian_(big_endian) {
    for (std::size_t at = 0; at < record_; ++at) {
      for (std::size_t width = 1; width <= widest_; ++width)
        priced_.push_back(price_of({at, width, big_endian}));
    }
  }

  /// Where a record falls into too many columns, changes of the width cost more; so they do where chance
  /// weighs more, because there are few records.
  RecordGuess cut() const {
    const auto few = static_cast<std::int64_t>(kManyRecords / std::max<std::size_t>(sample_.counted(), 1));
    const std::int64_t least = kChange * std::max<std::int64_t>(few, 1);
    RecordGuess best = best_cut(least);
    for (std::int64_t change = 4 * least; change <= kHighestChange && changes(best) > kMostChanges;
         change *= 4)
      best = best_cut(change);
    best.plain_cost = plain_cost();
    best.sample_bytes = sample_.counted() * record_;
    return best;
  }

 private:
  std::int64_t in_all(std::int64_t parts) const {
    return parts * static_cast<std::int64_t>(sample_.counted());
  }

  const Priced& priced(std::size_t at, std::size_t width) const {
    return priced_[at % record_ * widest_ + width - 1];
  }

  Priced price_of(const WordPlace& word) const {
    const bool real = looks_real(sample_, costs_, word);
    Priced best;
    for (unsigned order = 0; order < kFieldOrders; ++order) {
      const RecordField field{.width = static_cast<std::uint8_t>(word.width),
                              .big_endian = big_endian_ && word.width > 1,
                              .real = real,
                              .order = static_cast<std::uint8_t>(order),
                              .cost = costs_.word(word, order)};
      const Priced here{field, bias_of(word, field)};
      if (order == 0 || here.price() < best.price()) best = here;
    }
    if (real) set_decimal(word, best.field);
    return best;
  }

  /// Decimals have few lower parts, which do not follow from one another. The step scale, if it is chosen,
  /// does better still.
  void set_decimal(const WordPlace& word, RecordField& field) const {
    const std::uint64_t cost = cost_of_decimals(word);
    field.decimal = cost + cost / 50 < field.cost;
    field.cost = std::min(field.cost, cost);
  }

  std::int64_t bias_of(const WordPlace& word, const RecordField& field) const {
    std::int64_t bias = kField;
    if (field.width == 3) bias += kOfThree;
    if (field.width == 5 || field.width == 6 || field.width == 7) bias += kUnusual;
    if (std::has_single_bit(field.width) && word.at % field.width != 0) bias += kAcross;
    if (field.big_endian) bias += kBig * field.width;
    if (field.real) bias -= kReal * field.width;
    if (!field.real) bias += kBoundary * boundaries_inside(word, field.order);
    return in_all(bias);
  }

  /// In a word next to nothing stands above a digit that differs little. Where it is otherwise, another field
  /// begins. In words of unusual widths no digit may tell more than the one below.
  std::int64_t boundaries_inside(const WordPlace& word, unsigned order) const {
    std::int64_t boundaries = 0;
    for (std::size_t k = 0; k + 1 < word.width; ++k) {
      const std::uint64_t low = costs_.digit(word, order, k), high = costs_.digit(word, order, k + 1);
      const bool tells = high > costs_.at_parts(kPartsOfBit) && high > low / 2;
      const bool rises = !std::has_single_bit(word.width) && high > low + costs_.at_parts(kPartsOfBit / 4);
      boundaries += rises || (tells && costs_.is_quiet(word, order, k));
    }
    return boundaries;
  }

  std::uint64_t cost_of_decimals(const WordPlace& word) const {
    std::uint64_t lowest = UINT64_MAX;
    for (std::size_t part = 1; part < word.width; ++part) {
      const WordPlace low{word.big_endian ? word.at + word.width - part : word.at, part, word.big_endian};
      const WordPlace high{word.big_endian ? word.at : word.at + part, word.width - part, word.big_endian};
      for (unsigned order = 0; order < kFieldOrders; ++order)
        lowest = std::min(lowest, costs_.word(low, 0) + costs_.word(high, order));
    }
    return lowest;
  }

  RecordGuess best_cut(std::int64_t of_change) const {
    RecordGuess best;
    for (std::size_t begin = 0; begin < widest_; ++begin) {
      RecordGuess guess = cut_from(begin, of_change);
      if (begin > 0) guess.price += in_all(kShifted);
      if (begin == 0 || guess.price < best.price) best = std::move(guess);
    }
    return best;
  }

  static constexpr std::int64_t kNever = INT64_MAX / 2;

  /// The best fields from the begin to some place, by the width of the last one.
  struct Last {
    std::int64_t price = kNever;
    std::size_t before = 0;  ///< the width of the field before; 0: there is none
  };
  using Ends = std::array<Last, kWidestField + 1>;

  Last best_last(const Ends& before, std::size_t width, std::int64_t of_change) const {
    Last last;
    for (std::size_t b = 0; b <= widest_; ++b) {
      const std::int64_t price = before[b].price + (b != width && b != 0 ? in_all(of_change) : 0);
      if (price < last.price) last = {price, b};
    }
    return last;
  }

  /// The best fields for places `begin` .. `begin` + record.
  RecordGuess cut_from(std::size_t begin, std::int64_t of_change) const {
    std::vector<Ends> ends(record_ + 1);
    ends[0][0].price = 0;
    for (std::size_t end = 1; end <= record_; ++end) {
      for (std::size_t width = 1; width <= std::min(widest_, end); ++width) {
        Last& last = ends[end][width];
        last = best_last(ends[end - width], width, of_change);
        if (last.price < kNever) last.price += priced(begin + end - width, width).price();
      }
    }
    return fields_of(begin, ends);
  }

  RecordGuess fields_of(std::size_t begin, const std::vector<Ends>& ends) const {
    const auto best = std::ranges::min_element(ends[record_], {}, &Last::price);
    RecordGuess guess;
    guess.begin = begin;
    guess.price = best->price;
    auto width = static_cast<std::size_t>(best - ends[record_].begin());
    for (std::size_t end = record_; end > 0;) {
      const Priced& last = priced(begin + end - width, width);
      guess.fields.push_back(last.field);
      guess.cost += last.field.cost;
      if (!last.field.real) guess.integer_cost += last.field.cost;
      const std::size_t before = ends[end][width].before;
      end -= width;
      width = before;
    }
    std::ranges::reverse(guess.fields);
    return guess;
  }

  std::uint64_t plain_cost() const {
    std::uint64_t lowest = UINT64_MAX;
    for (const std::size_t width : {1u, 2u, 4u, 8u}) {
      if (record_ % width != 0) continue;
      for (unsigned order = 0; order < kFieldOrders; ++order) {
        std::uint64_t sum = 0;
        for (std::size_t at = 0; at < record_; at += width)
          sum += costs_.word({at, width, big_endian_}, order);
        lowest = std::min(lowest, sum);
      }
    }
    return lowest;
  }

  const RecordSample& sample_;
  std::size_t record_;
  std::size_t widest_;
  const DigitCosts& costs_;
  bool big_endian_;
  std::vector<Priced> priced_;  ///< by place and width
};

}  // namespace

std::uint64_t RecordGuess::packed_bytes(std::uint64_t of_fields, std::uint64_t bytes) const {
  return of_fields / (8 * kPartsOfBit) * bytes / std::max<std::size_t>(sample_bytes, 1);
}

RecordGuess guess_fields(const Pieces& records, std::size_t record, std::size_t sample) {
  const RecordSample stretches(records, record, sample);
  if (stretches.stretches().empty()) return {};
  const DigitCosts costs(stretches);
  RecordGuess little = Cutter(stretches, costs, false).cut();
  RecordGuess big = Cutter(stretches, costs, true).cut();
  return big.price < little.price ? big : little;
}

namespace {

bool are_neighbours(const RecordCut& x, const RecordCut& y) {
  return x.width == y.width && x.big_endian == y.big_endian && x.real == y.real;
}

/// One costs at most an eighth more than the other, among other things.
bool are_alike(const RecordField& x, const RecordField& y) {
  const auto [low, high] = std::minmax(x.cost, y.cost);
  return x.decimal == y.decimal && x.order == y.order && high - low <= low / 8;
}

/// `alike`: as the cut before, if they are neighbours.
void append(const RecordCut& cut, bool alike, std::vector<Neighbours>& parts) {
  if (parts.empty() || !are_neighbours(parts.back().front(), cut)) {
    parts.push_back({cut});
  } else if (alike) {
    parts.back().back().count += cut.count;
  } else {
    parts.back().push_back(cut);
  }
}

}  // namespace

RecordCut joined(const Neighbours& part) {
  RecordCut cut = part.front();
  cut.count = 0;
  for (const RecordCut& one : part) cut.count += one.count;
  return cut;
}

std::size_t RecordLayout::record_bytes() const {
  std::size_t sum = 0;
  for (const Neighbours& part : parts) sum += joined(part).bytes();
  return sum;
}

std::size_t RecordLayout::fields() const {
  std::size_t sum = 0;
  for (const Neighbours& part : parts) sum += part.size();
  return sum;
}

RecordLayout layout_of(const RecordGuess& guess) {
  RecordLayout layout{guess.begin, {}};
  const RecordField* last = nullptr;
  for (const RecordField& field : guess.fields) {
    const bool alike = last != nullptr && are_alike(*last, field);
    append({field.width, 1, field.big_endian, field.real}, alike, layout.parts);
    last = &field;
  }
  return layout;
}

RecordLayout layout_of(std::span<const NumberType> said, bool big_endian) {
  RecordLayout layout;
  for (const NumberType& type : said)
    append({type.word, type.tuple, big_endian && type.word > 1, type.kind == 'f'}, false, layout.parts);
  return layout;
}

}  // namespace tdz
