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

template <bool Big>
std::uint64_t load(const std::byte* at) {
  std::uint64_t x = 0;
  for (std::size_t b = 0; b < kWidest; ++b) {
    const std::byte byte = Big ? *(at - b) : at[b];
    x |= std::to_integer<std::uint64_t>(byte) << (8 * b);
  }
  return x;
}

/// The digits of a difference to the base 256, from -128 to 127: a small difference of either sign has one
/// digit, as it has one byte after zigzag, and the lower digits do not depend on the width of the word.
constexpr std::uint64_t kDigits = 0x8080808080808080u;

/// What the bytes at place `a` cost, and the digits of differences of words whose lowest byte is there. Sums
/// over the first 1 to 8 of them.
struct PlaceCosts {
  using Sums = std::array<std::uint64_t, kWidest + 1>;
  std::array<std::array<Sums, 2>, 2> differences{};  ///< [big-endian][order - 1]
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

  /// Of the word at `a`, with this difference.
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
      for (std::size_t k = 0; k < kWidest; ++k) sums[k + 1] = sums[k] + costs[order][k].cost(totals_);
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

/// Whether words look like IEEE 754 numbers: most have an exponent within 2^-40 .. 2^40 (of 8 bytes: 2^-100 ..
/// 2^100), and they are not all zero.
template <bool Big>
bool looks_real(const std::vector<Stretch>& stretches, std::size_t record, std::size_t a, std::size_t width) {
  const unsigned exponent_bits = width == 4 ? 8 : 11;
  const unsigned middle = (1u << (exponent_bits - 1)) - 1;
  const unsigned reach = width == 4 ? 40 : 100;
  std::size_t words = 0, zeros = 0, likely = 0;
  for (const Stretch& s : stretches) {
    for (std::size_t i = 1; i < s.records; ++i) {
      const std::uint64_t x = load<Big>(s.bytes + i * record + a + (Big ? width - 1 : 0)) << (64 - 8 * width);
      const auto exponent = static_cast<unsigned>(x << 1 >> (64 - exponent_bits));
      ++words;
      zeros += x == 0;
      likely += x != 0 && exponent + reach >= middle && exponent <= middle + reach;
    }
  }
  return zeros * 8 < words * 7 && likely * 16 >= (words - zeros) * 15;
}

struct Priced {
  RecordField field;
  std::uint64_t bits = 0;
  std::uint64_t penalty = 0;  ///< beyond the bits: what makes equal cuts different

  std::uint64_t price() const { return bits + penalty; }
};

class Cutter {
 public:
  Cutter(const std::vector<Stretch>& stretches, std::size_t record)
      : stretches_(stretches), record_(record), costs_(stretches, record), priced_(record * kWidest) {
    for (std::size_t a = 0; a < record; ++a) {
      for (std::size_t width = 1; width <= std::min(kWidest, record); ++width)
        priced_[a * kWidest + width - 1] = priced(a, width);
    }
  }

  RecordGuess best_cut() const {
    std::optional<RecordGuess> best;
    std::uint64_t lowest = 0;
    for (std::size_t begin = 0; begin < std::min(kWidest, record_); ++begin) {
      std::uint64_t price = 0;
      RecordGuess guess = cut_from(begin, price);
      if (begin > 0) price += costs_.words() * kShifted;
      if (best && price >= lowest) continue;
      best = std::move(guess);
      lowest = price;
    }
    best->plain_bits = plain_bits();
    return *std::move(best);
  }

 private:
  // In parts of 256 of a bit, for every word.
  static constexpr std::uint64_t kField = 8;     // fewer columns are faster
  static constexpr std::uint64_t kOdd = 40;      // words of 3, 5, 6 and 7 bytes are slow
  static constexpr std::uint64_t kAcross = 2;    // a place that C would not choose
  static constexpr std::uint64_t kNotReal = 32;  // only real numbers can be scaled
  static constexpr std::uint64_t kShifted = 8;   // a record that begins elsewhere costs a chunk

  const Priced& at(std::size_t a, std::size_t width) const {
    return priced_[a % record_ * kWidest + width - 1];
  }

  Priced priced(std::size_t a, std::size_t width) const {
    Priced best;
    for (const bool big : {false, true}) {
      if (big && width == 1) continue;
      const bool real = is_real(a, width, big);
      for (unsigned order = 0; order < kOrders; ++order) {
        if (big && order == 0 && !real) continue;
        const std::uint64_t bits = costs_.of(a, width, big, order);
        const std::uint64_t penalty = penalty_of(a, width, real);
        const bool first = !big && order == 0;
        if (!first && bits + penalty >= best.price()) continue;
        best = {{static_cast<std::uint8_t>(width), big, real, static_cast<std::uint8_t>(order)}, bits, penalty};
      }
    }
    return best;
  }
  bool is_real(std::size_t a, std::size_t width, bool big) const {
    if (width != 4 && width != 8) return false;
    return big ? looks_real<true>(stretches_, record_, a, width) : looks_real<false>(stretches_, record_, a, width);
  }
  std::uint64_t penalty_of(std::size_t a, std::size_t width, bool real) const {
    const bool odd = !std::has_single_bit(width);
    const bool across = !odd && a % width != 0;
    return costs_.words() * (kField + (odd ? kOdd : 0) + (across ? kAcross : 0) + (real ? 0 : kNotReal * (width / 4)));
  }

  /// The best fields for places `begin` .. `begin` + record, by their ends.
  RecordGuess cut_from(std::size_t begin, std::uint64_t& price) const {
    struct Best {
      std::uint64_t price = 0;
      std::size_t width = 0;
    };
    std::vector<Best> best(record_ + 1);
    for (std::size_t end = 1; end <= record_; ++end) {
      for (std::size_t width = 1; width <= std::min(kWidest, end); ++width) {
        const std::uint64_t with = best[end - width].price + at(begin + end - width, width).price();
        if (width == 1 || with < best[end].price) best[end] = {with, width};
      }
    }
    price = best[record_].price;
    RecordGuess guess{begin, {}, 0, 0};
    for (std::size_t end = record_; end > 0; end -= best[end].width) {
      const Priced& field = at(begin + end - best[end].width, best[end].width);
      guess.fields.push_back(field.field);
      guess.bits += field.bits;
    }
    std::ranges::reverse(guess.fields);
    return guess;
  }

  /// Equal words, with one order for all of them.
  std::uint64_t plain_bits() const {
    std::uint64_t lowest = UINT64_MAX;
    for (const std::size_t width : {1u, 2u, 4u, 8u}) {
      if (record_ % width != 0) continue;
      for (const bool big : {false, true}) {
        for (unsigned order = 0; order < kOrders; ++order) {
          std::uint64_t sum = 0;
          for (std::size_t a = 0; a < record_; a += width) sum += costs_.of(a, width, big, order);
          lowest = std::min(lowest, sum);
        }
      }
    }
    return lowest;
  }

  const std::vector<Stretch>& stretches_;
  std::size_t record_;
  Costs costs_;
  std::vector<Priced> priced_;
};

}  // namespace

RecordGuess guess_fields(const Pieces& records, std::size_t record, std::size_t sample) {
  const auto stretches = stretches_of(records, record, sample);
  if (stretches.empty()) return {};
  return Cutter(stretches, record).best_cut();
}

}  // namespace tdz
