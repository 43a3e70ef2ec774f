// SPDX-License-Identifier: Apache-2.0
#include "codec/search/column/proposals.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <span>
#include <utility>

namespace tdz {
namespace {

/// Every distance is compared on few words or bytes, the best of them on more. Still more do not change the
/// ranking.
constexpr std::size_t kBytesCompared = 4096;
constexpr std::size_t kWordsCompared = 512;  // of a piece
constexpr std::size_t kShortPart = 8;        // the short comparison takes one part in 8 of the long one
constexpr std::size_t kLongComparisons = 64;
constexpr std::size_t kLongestRow = 16384;  // in words; longer rows are taken from headers only

struct Distance {
  std::size_t distance = 0;
  std::uint64_t cost = 0;
};

/// The best `count` distances, best first. Of distances with equal cost the shortest comes first: its
/// multiples cost the same.
std::vector<std::size_t> best_of(std::vector<Distance> tried, std::size_t count) {
  count = std::min(count, tried.size());
  const auto end = tried.begin() + static_cast<std::ptrdiff_t>(count);
  std::partial_sort(tried.begin(), end, tried.end(), [](const auto& a, const auto& b) {
    return std::pair(a.cost, a.distance) < std::pair(b.cost, b.distance);
  });
  std::vector<std::size_t> best;
  for (auto d = tried.begin(); d != end; ++d) best.push_back(d->distance);
  return best;
}

/// The best `count` of the distances `from`, `from` + `step` .. `to`. `cost(distance, compared)` compares
/// `compared` values with their predecessors.
template <class Cost>
std::vector<std::size_t> best_distances(std::size_t from, std::size_t to, std::size_t step,
                                        std::size_t compared, std::size_t count, Cost cost) {
  std::vector<Distance> tried;
  for (std::size_t d = from; d <= to; d += step) tried.push_back({d, cost(d, compared / kShortPart)});
  std::vector<Distance> again;
  for (const std::size_t d : best_of(std::move(tried), kLongComparisons))
    again.push_back({d, cost(d, compared)});
  return best_of(std::move(again), count);
}

constexpr std::size_t kSide = 32;    // bytes that are compared at once
constexpr std::size_t kRounds = 31;  // a length is at most 8: sums of 31 fit a byte

/// Adds the lengths in bits of kSide differences of bytes, taken as signed numbers. A length is the number of
/// powers of 2 that are not greater: compilers make vectors of that.
void add_lengths(const std::byte* x, const std::byte* y, std::array<std::uint8_t, kSide>& sums) {
  for (std::size_t i = 0; i < kSide; ++i) {
    const auto difference =
        static_cast<std::uint8_t>(std::to_integer<unsigned>(x[i]) - std::to_integer<unsigned>(y[i]));
    const auto opposite = static_cast<std::uint8_t>(0u - difference);
    const std::uint8_t magnitude = difference < opposite ? difference : opposite;
    std::uint8_t length = 0;
    for (unsigned power = 1; power <= 128; power *= 2)
      length = static_cast<std::uint8_t>(length + (magnitude >= static_cast<std::uint8_t>(power)));
    sums[i] = static_cast<std::uint8_t>(sums[i] + length);
  }
}

/// Of the last `compared` bytes.
std::uint64_t column_cost(std::span<const std::byte> bytes, std::size_t distance, std::size_t compared) {
  const std::byte* here = bytes.data() + bytes.size() - compared;
  std::uint64_t cost = 0;
  for (std::size_t sides = compared / kSide; sides > 0;) {
    const std::size_t rounds = std::min(kRounds, sides);
    std::array<std::uint8_t, kSide> sums{};
    for (std::size_t r = 0; r < rounds; ++r, here += kSide) add_lengths(here, here - distance, sums);
    cost = std::accumulate(sums.begin(), sums.end(), cost);
    sides -= rounds;
  }
  for (std::size_t i = 0; i < compared % kSide; ++i) {
    const int difference = std::to_integer<int>(here[i]) - std::to_integer<int>((here - distance)[i]);
    const int magnitude = std::abs(static_cast<std::int8_t>(difference));
    cost += static_cast<std::uint64_t>(std::bit_width(static_cast<unsigned>(magnitude)));
  }
  return cost;
}

/// The lengths in bits of zigzag residuals: small numbers, and their pattern repeats from row to row.
std::vector<std::uint8_t> lengths_in_bits(std::span<const std::byte> residuals, std::size_t word) {
  std::vector<std::uint8_t> lengths(residuals.size() / word);
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    std::uint64_t value = 0;
    for (std::size_t b = 0; b < word; ++b) {
      value |= std::to_integer<std::uint64_t>(residuals[i * word + b]) << (8 * b);
    }
    lengths[i] = static_cast<std::uint8_t>(std::bit_width(value) * 2 + static_cast<int>(value & 1));
  }
  return lengths;
}

/// One sum of absolute differences of bytes, for compilers to make vectors of.
std::uint64_t row_cost(std::span<const std::uint8_t> lengths, std::size_t row, std::size_t compared) {
  const std::uint8_t* here = lengths.data() + lengths.size() - compared;
  const std::uint8_t* above = here - row;
  unsigned cost = 0;
  for (std::size_t i = 0; i < compared; ++i) cost += static_cast<unsigned>(std::abs(here[i] - above[i]));
  return cost;
}

/// What the lengths in bits differ by from those of a row before, in several pieces.
class RowCosts {
 public:
  RowCosts(const Pieces& residuals, Shape shape) : tuple_(shape.tuple) {
    for (const auto piece : residuals) {
      pieces_.push_back(
          lengths_in_bits(piece.last(std::min(piece.size() / shape.word, words_) * shape.word), shape.word));
      words_ = std::min(words_, pieces_.back().size());
    }
    compared_ = std::min(kWordsCompared, words_ / 4);
  }

  /// Row lengths of at least `shortest` words, best first.
  std::vector<std::size_t> best(std::size_t shortest, std::size_t count) const {
    if (pieces_.empty()) return {};
    // The first row of a chunk has none before it: a longer row must be a little better.
    const auto cost = [this](std::size_t row, std::size_t n) {
      return of(row, n) * (kLittleOf * words_ + row);
    };
    return best_distances(whole_tuples(shortest), longest(), tuple_, compared_, count, cost);
  }
  /// The row is at least twice as good as others of at least `shortest` words are on average.
  bool stands_out(std::size_t row, std::size_t shortest) const {
    constexpr std::size_t kOthers = 16;
    const std::size_t first = whole_tuples(shortest);
    const std::size_t apart =
        ((longest() - first) / tuple_ / kOthers | 1) * tuple_;  // odd: not always whole short rows
    std::uint64_t sum = 0, others = 0;
    for (std::size_t other = first; other <= longest(); other += apart, ++others) sum += of(other, compared_);
    return 2 * of(row, compared_) * others < sum;
  }

 private:
  static constexpr std::uint64_t kLittleOf = 8;

  std::size_t longest() const { return words_ - compared_; }
  std::size_t whole_tuples(std::size_t words) const { return (words + tuple_ - 1) / tuple_ * tuple_; }
  std::uint64_t of(std::size_t row, std::size_t compared) const {
    std::uint64_t sum = 0;
    for (const auto& piece : pieces_) sum += row_cost(piece, row, compared);
    return sum;
  }

  std::size_t tuple_;
  std::vector<std::vector<std::uint8_t>> pieces_;
  std::size_t words_ = kLongestRow + kWordsCompared;  // of the shortest piece, or as many as are looked at
  std::size_t compared_ = 0;
};

}  // namespace

std::vector<std::size_t> propose_record_lengths(std::span<const std::byte> bytes, std::size_t longest,
                                                std::size_t count) {
  const std::size_t compared = std::min(kBytesCompared, bytes.size() / 2);
  const std::size_t longest_here = std::min(longest, bytes.size() - compared);
  return best_distances(1, longest_here, 1, compared, count,
                        [&](std::size_t d, std::size_t n) { return column_cost(bytes, d, n); });
}

std::vector<std::uint32_t> propose_rows(const Pieces& residuals, Shape shape, std::size_t count) {
  constexpr std::size_t kShortest = 16;  // a shorter row is a tuple
  const RowCosts costs(residuals, shape);
  const auto best = costs.best(kShortest, count);
  return {best.begin(), best.end()};
}

std::optional<std::uint32_t> propose_long_row(const Pieces& residuals, Shape shape, std::size_t shortest) {
  const RowCosts costs(residuals, shape);
  const auto best = costs.best(shortest, 1);
  if (best.empty() || !costs.stands_out(best.front(), shortest)) return std::nullopt;
  return static_cast<std::uint32_t>(best.front());
}

namespace {

/// Every distance is compared on few bytes of each piece, the best of them on more.
constexpr std::size_t kBlock = 256;
constexpr std::size_t kLongBlocks = 8;
constexpr std::size_t kComparedInFull = 96;
constexpr std::size_t kMostLengths = 3;
// Parts of 100. What a length gains over most other lengths, against what it could gain at best.
constexpr std::uint64_t kConvincing = 10;
constexpr std::uint64_t kAsGood = 90;        // a divisor that gains this part of it is the length itself
constexpr std::uint64_t kNearlyAsGood = 60;  // a divisor that gains this part of it is tried beside it

constexpr unsigned kMostAlike = 2;  // of one byte

/// How much kBlock bytes are like those at another place: a byte counts 1 if it is near, 2 if it is equal.
/// Sums in bytes let a compiler compare many bytes at once.
std::uint32_t likeness(const std::byte* x, const std::byte* y) {
  static_assert(kBlock / kSide * kMostAlike < 256);
  std::array<std::uint8_t, kSide> sums{};
  for (std::size_t i = 0; i < kBlock; i += kSide) {
    for (std::size_t k = 0; k < kSide; ++k) {
      const auto difference = static_cast<std::uint8_t>(std::to_integer<unsigned>(x[i + k]) -
                                                        std::to_integer<unsigned>(y[i + k]));
      const std::uint8_t near = static_cast<std::uint8_t>(difference + 8) <= 16;
      const std::uint8_t equal = difference == 0;
      sums[k] = static_cast<std::uint8_t>(sums[k] + near + equal);
    }
  }
  std::uint32_t sum = 0;
  for (const std::uint8_t s : sums) sum += s;
  return sum;
}

/// The likeness at every distance, on `blocks` blocks in the middle of each piece that is long enough.
class Likeness {
 public:
  explicit Likeness(const Pieces& pieces) {
    for (const auto piece : pieces) {
      if (piece.size() < kLongestFoundRecord + kLongBlocks * kBlock) continue;
      const std::size_t spare = piece.size() - kLongestFoundRecord - kLongBlocks * kBlock;
      places_.push_back(piece.data() + kLongestFoundRecord + spare / 2);
    }
  }
  std::uint64_t of(std::size_t distance, std::size_t blocks) const {
    std::uint64_t sum = 0;
    for (const std::byte* place : places_) {
      for (std::size_t b = 0; b < blocks; ++b)
        sum += likeness(place + b * kBlock, place + b * kBlock - distance);
    }
    return sum;
  }
  std::uint64_t most(std::size_t blocks) const { return places_.size() * blocks * kBlock * kMostAlike; }
  bool empty() const { return places_.empty(); }

 private:
  std::vector<const std::byte*> places_;
};

struct Length {
  std::size_t bytes = 0;
  std::uint64_t likeness = 0;
};

/// The more alike, and of equal ones the shorter.
bool is_better(const Length& x, const Length& y) {
  return x.likeness != y.likeness ? x.likeness > y.likeness : x.bytes < y.bytes;
}

class LengthProposer {
 public:
  explicit LengthProposer(const Likeness& likeness)
      : likeness_(likeness), in_full_(kLongestFoundRecord + 1, kUnknown) {
    std::vector<Length> all;
    for (std::size_t d = 1; d <= kLongestFoundRecord; ++d) all.push_back({d, likeness.of(d, 1)});
    // Of short records half of the distances are multiples.
    const auto usual = all.begin() + static_cast<std::ptrdiff_t>(all.size() * 3 / 4);
    std::ranges::nth_element(all, usual, is_better);
    usual_ = usual->likeness * kLongBlocks;
    std::ranges::nth_element(all.begin(), all.begin() + kComparedInFull, usual, is_better);
    all.resize(kComparedInFull);
    std::ranges::sort(all, is_better);
    for (Length& length : all) length.likeness = in_full(length.bytes);
    std::ranges::stable_sort(all, std::ranges::greater(), &Length::likeness);
    best_ = std::move(all);
  }

  std::vector<std::size_t> run() {
    const std::uint64_t possible =
        likeness_.most(kLongBlocks) - std::min(usual_, likeness_.most(kLongBlocks));
    for (const Length& length : best_) {
      const std::uint64_t gain = gain_of(length.likeness);
      if (gain * 100 < possible * kConvincing || found_.size() == kMostLengths) break;
      if (gain * 100 < gain_of(best_[0].likeness) * kNearlyAsGood) break;
      add(shortest_divisor(length, kAsGood));
      add(shortest_divisor(length, kNearlyAsGood));
    }
    std::erase(found_, std::size_t{1});
    return std::move(found_);
  }

 private:
  /// The likeness at this distance on all blocks. Many lengths have the same divisors.
  std::uint64_t in_full(std::size_t bytes) {
    std::uint64_t& known = in_full_[bytes];
    if (known == kUnknown) known = likeness_.of(bytes, kLongBlocks);
    return known;
  }
  std::uint64_t gain_of(std::uint64_t likeness) const { return likeness - std::min(likeness, usual_); }

  /// Multiples of a length are as good as the length, apart from chance.
  std::size_t shortest_divisor(const Length& length, std::uint64_t part) {
    for (std::size_t d = 1; d < length.bytes; ++d) {
      if (length.bytes % d != 0) continue;
      if (gain_of(in_full(d)) * 100 >= gain_of(length.likeness) * part) return d;
    }
    return length.bytes;
  }
  void add(std::size_t bytes) {
    const bool known = std::ranges::any_of(found_, [&](std::size_t f) { return bytes % f == 0 && f != 1; });
    if (!known && found_.size() < kMostLengths) found_.push_back(bytes);
  }

  static constexpr std::uint64_t kUnknown = UINT64_MAX;

  const Likeness& likeness_;
  std::vector<std::uint64_t> in_full_;  ///< of each distance
  std::uint64_t usual_ = 0;
  std::vector<Length> best_;
  std::vector<std::size_t> found_;
};

}  // namespace

std::vector<std::size_t> propose_mixed_records(const Pieces& pieces) {
  const Likeness likeness(pieces);
  if (likeness.empty()) return {};
  return LengthProposer(likeness).run();
}

}  // namespace tdz
